// runlog/export.h - the one macro that marks what the library shows to its users.

#ifndef RUNLOG_EXPORT_H_
#define RUNLOG_EXPORT_H_

#define RUNLOG_EXPORT [[gnu::visibility("default")]]

#endif  // RUNLOG_EXPORT_H_
