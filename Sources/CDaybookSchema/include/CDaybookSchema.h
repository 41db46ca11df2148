#pragma once

/// The files of SQL that make the tables and functions of logs, in the order of their names, as one
/// text that ends with a zero byte.
const char *_Nonnull daybookSchema(void);
