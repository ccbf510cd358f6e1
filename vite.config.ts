import babel from '@rolldown/plugin-babel'
import react, { reactCompilerPreset } from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { guidePagesPlugin } from './src/app/guide/parse-page.ts'

export default defineConfig({
  plugins: [guidePagesPlugin, react(), babel({ presets: [reactCompilerPreset()] }), listOfParts()],
  build: {
    outDir: 'dist/web',
    // What imports what: test/size.test.ts adds it up.
    manifest: 'manifest.json',
    // The content security policy allows no data: fonts, and one cached file is better than a copy in each style sheet.
    assetsInlineLimit: 0,
    // Every browser with ES2024 preloads modules by itself.
    modulePreload: { polyfill: false },
    target: 'es2024',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // no-eval.ts must run before any schema is made, so it travels with the schema library itself.
            { name: 'zod', test: /node_modules\/zod\/|src\/ui\/data\/no-eval/, priority: 4 },
            // Changes with our dependencies only, so an upgrade of ours leaves it in the browser's cache.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            // Some forty small files for the first screen cost more in requests than they save in bytes.
            { name: 'shell', tags: ['$initial'], priority: 2 },
            // What most screens need beyond it; the rest comes with the screens that use it.
            { name: 'shared', minShareCount: 8, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env.LEADLINE_API ?? 'http://127.0.0.1:3000' } },
})

/** Every script and style sheet of the build, for src/ui/data/lazy-part.ts. */
function listOfParts(): Plugin {
  return {
    name: 'list-of-parts',
    enforce: 'post', // after Vite has taken out what only led to another file
    generateBundle(_options, bundle) {
      const parts = Object.keys(bundle).filter((file) => /\.(js|css)$/.test(file))
      this.emitFile({ type: 'asset', fileName: 'assets/parts.json', source: JSON.stringify(parts) })
    },
  }
}
