/** What the names of the tests' databases begin with: on a cluster they are told from others by it. */
export const testDatabases = 'leadline_test_'
/** The migrated database that each test database is copied from. */
export const templateDatabase = `${testDatabases}template`
