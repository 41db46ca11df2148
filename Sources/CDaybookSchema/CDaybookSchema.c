#include "CDaybookSchema.h"

#ifdef PostgreSQL
static const char schema[] = {
#embed "../DaybookPostgres/Schema/1-tables.sql" suffix(,)
#embed "../DaybookPostgres/Schema/2-bytes.sql" suffix(,)
#embed "../DaybookPostgres/Schema/3-append.sql" suffix(,)
#embed "../DaybookPostgres/Schema/4-read.sql" suffix(,)
#embed "../DaybookPostgres/Schema/5-epochs.sql" suffix(,)
#embed "../DaybookPostgres/Schema/5-erase.sql" suffix(,)
#embed "../DaybookPostgres/Schema/5-logs.sql" suffix(,)
#embed "../DaybookPostgres/Schema/6-roles.sql" suffix(, 0)
};

const char *daybookSchema(void) { return schema; }
#endif
