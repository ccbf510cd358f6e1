import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/server/tables.ts', './src/domains/**/table.ts'],
  out: './migrations',
})
