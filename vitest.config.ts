import { defineConfig } from 'vitest/config'
import { guidePagesPlugin } from './src/app/guide/parse-page.ts'

const rules = 'test/architecture.test.ts'

/**
 * One PostgreSQL for the whole run (test/global-setup.ts), one database for each test file that asks for one
 * (test/database.ts). Two workers: the smallest machine we promise to run on has two processors.
 */
export default defineConfig({
  plugins: [guidePagesPlugin],
  test: {
    reporters: ['default', './test/summary.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A test file shares nothing but its modules with the next one: loading the house once a worker saves a minute.
    isolate: false,
    // Only what hangs should run into these, not what waits for a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // A browser on a machine that does much else at once now and then misses its moment; the report says which tests did.
    retry: 2,
    // Hashing a password costs what it costs, and a browser test opens a browser: only what is really slow is marked.
    slowTestThreshold: 2_000,
    projects: [
      // What `npm run check` runs too: facts about the files themselves, which need no database.
      { extends: true, test: { name: 'rules', include: [rules] } },
      {
        extends: true,
        test: {
          name: 'leadline',
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
          exclude: [rules],
          globalSetup: './test/global-setup.ts',
          setupFiles: ['./test/spread/recorder.ts'],
        },
      },
    ],
  },
})
