import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/core/**/schema.ts', './src/domains/**/schema.ts'],
  out: './migrations',
})
