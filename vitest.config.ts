import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { guidePagesPlugin } from './src/app/guide/parse-page.ts'
import FileOrder from './test/file-order.ts'

const rules = 'test/architecture.test.ts'
const requirements = 'test/requirements.test.ts'

/**
 * One PostgreSQL for the run (test/global-setup.ts), one database for each test file that asks for one (test/database.ts).
 * The smallest machine we support has two processors, and three workers keep them busy, because a worker waits a sixth of the time. No
 * retries: a test that fails now and then has a bug.
 */
export default defineConfig({
  plugins: [guidePagesPlugin],
  test: {
    reporters: ['default', './test/summary.ts'],
    pool: 'forks',
    maxWorkers: Math.max(3, availableParallelism()),
    // Test files share nothing but their modules: loading the app once per worker saves a minute.
    isolate: false,
    sequence: { sequencer: FileOrder },
    // Long enough for a busy machine: only a test that hangs runs into them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // Password hashing and opening a browser take their time: mark only what is slower than that.
    slowTestThreshold: 2_000,
    projects: [
      // `npm run check` runs these too: they read source files and need no database.
      { extends: true, test: { name: 'rules', include: [rules] } },
      { extends: true, test: { name: 'requirements', include: [requirements] } },
      {
        extends: true,
        test: {
          name: 'leadline',
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
          exclude: [rules, requirements],
          globalSetup: './test/global-setup.ts',
          // Set by `npm run machines -- --citus`.
          setupFiles: process.env.CHECK_CITUS ? ['./test/citus/query-recorder.ts'] : [],
        },
      },
    ],
  },
})
