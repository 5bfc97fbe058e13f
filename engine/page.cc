#include <runlog/page.h>

#include "engine/page_builder.h"

namespace runlog {

Page::Page() = default;
Page::Page(Page&&) noexcept = default;
Page& Page::operator=(Page&&) noexcept = default;
Page::~Page() = default;

}  // namespace runlog
