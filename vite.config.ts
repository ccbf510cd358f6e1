import { hash } from 'node:crypto'
import { relative } from 'node:path'
import babel, { type RolldownBabelPreset } from '@rolldown/plugin-babel'
import react, { reactCompilerPreset } from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { guidePagesPlugin } from './src/app/guide/parse-page.ts'
import { takeAddressSecrets } from './src/ui/data/address-secrets.ts'
import { earlyCallsKey, sendEarlyCalls } from './src/ui/data/early-calls.ts'
import { tokenCookie } from './src/ui/data/session-token.ts'

/** What other screens have in common with the list of leads. */
const sharedWithLeads = new RegExp(
  [
    'src/contract/zoned-time',
    'src/domains/imports/(may-import|ui/public|ui/ImportButton)',
    'src/domains/leads/(export|form|mail|recordings|related|sources)/contract',
    'src/ui/(cells/CellPopover|data/sse-client|filters/DateRangeFilter|layout/CountedSection|layout/Player|table/useArray)',
    'eventsource-parser',
    '@mantine/.*/(Menu/|use-debounced-value|get-auto-contrast-value)',
  ].join('|'),
)

/** Small tables are on many screens, and not on those of leads, which have the least room. */
const plainTable = /src\/ui\/table\/PlainTable/

/** A property of an object within a call, as far as it is looked at: Babel brings no types. */
type PropertyPath = {
  node: { key: { name?: string } }
  parentPath: { parent: { callee?: { name?: string } } }
  remove: () => void
}
/** What endpoints tell of themselves is for docs/openapi.json: no screen reads it. */
const withoutDescriptions: RolldownBabelPreset = {
  preset: () => ({
    plugins: [
      {
        visitor: {
          ObjectProperty(path: PropertyPath) {
            const isOfEndpoint = path.parentPath.parent.callee?.name === 'endpoint'
            if (isOfEndpoint && path.node.key.name === 'description') path.remove()
          },
        },
      },
    ],
  }),
  rolldown: { filter: { code: 'endpoint(' } },
}

/** The names of all time zones: a kilobyte that only forms need. */
const timeZones = /src\/domains\/clients\/labels/

export default defineConfig({
  // Without the number of the line, which would be different in each of the names that scripts carry.
  css: { modules: { generateScopedName: (name, file) => `${name}_${hash('sha1', relative('.', file)).slice(0, 5)}` } },
  plugins: [
    guidePagesPlugin,
    earlyCalls(),
    react(),
    babel({ presets: [reactCompilerPreset(), withoutDescriptions] }),
    listOfParts(),
  ],
  build: {
    outDir: 'dist/web',
    // What imports what: test/size.test.ts adds it up.
    manifest: 'manifest.json',
    // The content security policy allows no data: fonts, and one cached file is better than a copy in each style sheet.
    assetsInlineLimit: 0,
    // One sheet, which stays in the cache, is better than thirty requests.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 700,
    // Every browser with ES2024 preloads modules by itself.
    modulePreload: { polyfill: false },
    target: 'es2024',
    rolldownOptions: {
      checks: { pluginTimings: false }, // a first start says how long it takes by itself
      output: {
        codeSplitting: {
          groups: [
            // One file for what every page asks for: some forty small ones cost more in requests than they save in bytes.
            { name: 'shell', tags: ['$initial'], priority: 4 },
            // What most screens need beyond it; the rest comes with the screens that use it.
            {
              name: 'shared',
              minShareCount: 8,
              priority: 3,
              test: (file) => !timeZones.test(file) && !plainTable.test(file),
            },
            // The screen that is open all day, with all that only it and its like need; what others have of it too is apart.
            { name: 'lists', test: sharedWithLeads, priority: 2 },
            { name: 'leads', test: /src\/domains\/leads\/list\/ui\/screen\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env.LEADLINE_API ?? 'http://127.0.0.1:3000' } },
})

/**
 * The page itself takes secrets out of its address, and asks for what its screen asked for the last time. The server allows this one
 * script by its hash.
 */
function earlyCalls(): Plugin {
  const script = `<script>(${takeAddressSecrets})();(${sendEarlyCalls})(${JSON.stringify(earlyCallsKey)},${JSON.stringify(tokenCookie)})</script>`
  return { name: 'early-calls', transformIndexHtml: (page) => page.replace('<!-- early calls -->', () => script) }
}

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
