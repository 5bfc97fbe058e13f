# What users see: the layers folded into one library behind runlog::runlog, for find_package and pkg-config.
# RocksDB and ISA-L are the only libraries it links, and no header mentions them.
include(CMakePackageConfigHelpers)

add_library(runlog)
add_library(runlog::runlog ALIAS runlog)
target_sources(runlog
  PRIVATE
    $<TARGET_OBJECTS:runlog_format>
    $<TARGET_OBJECTS:runlog_index>
    $<TARGET_OBJECTS:runlog_engine>
  PUBLIC FILE_SET HEADERS
    BASE_DIRS ${PROJECT_SOURCE_DIR}/format/include ${PROJECT_SOURCE_DIR}/engine/include
    FILES
      ${PROJECT_SOURCE_DIR}/format/include/runlog/event.h
      ${PROJECT_SOURCE_DIR}/format/include/runlog/export.h
      ${PROJECT_SOURCE_DIR}/format/include/runlog/limits.h
      ${PROJECT_SOURCE_DIR}/format/include/runlog/status.h
      ${PROJECT_SOURCE_DIR}/engine/include/runlog/doctor.h
      ${PROJECT_SOURCE_DIR}/engine/include/runlog/event_store.h
      ${PROJECT_SOURCE_DIR}/engine/include/runlog/listing.h
      ${PROJECT_SOURCE_DIR}/engine/include/runlog/options.h
      ${PROJECT_SOURCE_DIR}/engine/include/runlog/page.h
      ${PROJECT_SOURCE_DIR}/engine/include/runlog/reader.h
      ${PROJECT_SOURCE_DIR}/engine/include/runlog/receipt.h
      ${PROJECT_SOURCE_DIR}/engine/include/runlog/stats.h
      ${PROJECT_SOURCE_DIR}/engine/include/runlog/store_view.h
      ${PROJECT_SOURCE_DIR}/engine/include/runlog/tail.h)
target_compile_features(runlog PUBLIC cxx_std_20)
target_link_libraries(runlog PRIVATE RocksDB::rocksdb-shared ${RUNLOG_ISAL_LIBRARY} Threads::Threads)
set_target_properties(runlog PROPERTIES
  LINKER_LANGUAGE CXX
  VERIFY_INTERFACE_HEADER_SETS ON
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(runlog_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/runlog)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/runlogConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/runlogConfig.cmake INSTALL_DESTINATION ${runlog_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/runlogConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH runlog_pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" runlog_pc_to_prefix "${runlog_pc_to_prefix}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/runlog.pc.in ${PROJECT_BINARY_DIR}/package/runlog.pc @ONLY)

install(TARGETS runlog EXPORT runlogTargets COMPONENT library FILE_SET HEADERS COMPONENT library)
install(EXPORT runlogTargets NAMESPACE runlog:: DESTINATION ${runlog_package_dir} COMPONENT library)
install(
  FILES
    ${PROJECT_BINARY_DIR}/package/runlogConfig.cmake
    ${PROJECT_BINARY_DIR}/package/runlogConfigVersion.cmake
  DESTINATION ${runlog_package_dir} COMPONENT library)
install(FILES ${PROJECT_BINARY_DIR}/package/runlog.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
