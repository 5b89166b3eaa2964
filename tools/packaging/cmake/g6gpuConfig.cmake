# SPDX-License-Identifier: MIT
# For projects that are built with CMake:
#     find_package(g6gpu REQUIRED)
#     target_link_libraries(my_code g6gpu::g6gpu)           # or g6gpu::static: the library inside the program
#     target_link_libraries(my_code g6gpu::fortran)         # with the module g6lib, in a project with Fortran
# Paths are relative to this file, so that the folder of the installation may be moved as a whole.

get_filename_component(_g6gpu_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(_g6gpu_prefix "${CMAKE_CURRENT_LIST_DIR}/@UP@" ABSOLUTE)

if(NOT TARGET g6gpu::g6gpu)
  add_library(g6gpu::g6gpu SHARED IMPORTED)
  set_target_properties(g6gpu::g6gpu PROPERTIES
    IMPORTED_LOCATION "${_g6gpu_lib}/libg6gpu.so.@VERSION@"
    IMPORTED_SONAME "@SONAME@"
    INTERFACE_INCLUDE_DIRECTORIES "${_g6gpu_prefix}/include")

  add_library(g6gpu::static STATIC IMPORTED)
  set_target_properties(g6gpu::static PROPERTIES
    IMPORTED_LOCATION "${_g6gpu_lib}/libg6gpu.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_g6gpu_prefix}/include"
    INTERFACE_LINK_LIBRARIES "@ARCHIVE_LIBS@")
endif()

# A module file suits one compiler alone, so the project compiles the module.
get_property(_g6gpu_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("Fortran" IN_LIST _g6gpu_languages AND NOT TARGET g6gpu_fortran)
  add_library(g6gpu_fortran STATIC EXCLUDE_FROM_ALL "${_g6gpu_prefix}/include/g6lib.f90")
  add_library(g6gpu::fortran ALIAS g6gpu_fortran)
  set_target_properties(g6gpu_fortran PROPERTIES Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/g6gpu_modules")
  target_include_directories(g6gpu_fortran PUBLIC "${CMAKE_CURRENT_BINARY_DIR}/g6gpu_modules")
  target_link_libraries(g6gpu_fortran PUBLIC g6gpu::g6gpu)
endif()

unset(_g6gpu_languages)
unset(_g6gpu_lib)
unset(_g6gpu_prefix)
