import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'
import { settingNames } from '#domains/app-settings.ts'

const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8')
/** Variables of other vendors' images, which are not our settings. */
const theirs = /^(POSTGRES_\w+|ROOT_\w+|MP_\w+|NODE_ENV)$/
const unknown = (names: Iterable<RegExpMatchArray>) =>
  [...names].map(([, name = '']) => name).filter((name) => !theirs.test(name) && !settingNames.has(name))

test('the image, compose and Kubernetes examples set only existing settings', () => {
  const image = read('Dockerfile').matchAll(/\b([A-Z][A-Z_]+)=/g)
  const compose = read('compose.yaml').matchAll(/^ +([A-Z][A-Z0-9_]+): /gm)
  const kubernetes = read('ops/kubernetes.yaml').matchAll(/(?:^ +|name: )([A-Z][A-Z0-9_]{3,})(?::|,)/gm)
  expect(settingNames.size).toBeGreaterThan(40)
  expect([image, compose, kubernetes].map(unknown)).toEqual([[], [], []])
})

test('health checks and commands name addresses and files that exist', async () => {
  const asked = ['Dockerfile', 'ops/kubernetes.yaml'].flatMap((name) =>
    [...read(name).matchAll(/(?:path: |PORT\})(\/[a-z]+z)\b/g)].map(([, path]) => path),
  )
  expect(new Set(asked)).toEqual(new Set(['/servez', '/healthz']))
  const started = [...read('Dockerfile').matchAll(/"(dist\/[\w./]+)"/g)].map(([, file = '']) => file)
  expect(started.filter((file) => existsSync(join(projectRoot, file)))).toEqual(['dist/server/server.mjs'])
})

test('compose and Kubernetes keep the hook journal when a container is replaced, and see the addresses of clients', () => {
  const app = /^ {2}app:\n([\s\S]*?)\n\n/m.exec(read('compose.yaml'))?.[1]
  expect(app).toContain('volumes: ["data:/data"]')
  expect(read('compose.yaml')).toContain('TRUSTED_PROXIES: ${TRUSTED_PROXIES:-}')
  const web = read('ops/kubernetes.yaml')
    .split('---')
    .find((part) => part.includes('name: leadline-web'))
  expect(web).toContain('mountPath: /data')
})

test('compose passes every setting of .env, and keeps where the image listens and stores', () => {
  const compose = read('compose.yaml')
  expect(compose).toContain('env_file: [{ path: .env, required: false }]')
  const image = /^ENV NODE_ENV=production (.*)$/m.exec(read('Dockerfile'))?.[1]?.split(' ') ?? []
  expect(image.length).toBe(3)
  expect(image.filter((value) => !compose.includes(`    ${value.replace('=', ': ')}\n`))).toEqual([])
})

test('every setting is in docs/settings.md', () => {
  const page = read('docs/settings.md')
  expect([...settingNames].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('compose publishes ports on this machine alone, and takes each password from the environment without a default', () => {
  const compose = read('compose.yaml')
  const ports = [...compose.matchAll(/ports: \[(.*)\]/g)].map(([, port = '']) => port)
  expect(ports.map((port) => port.replace(/\d+:\d+"$/, ''))).toEqual(['"127.0.0.1:', '"127.0.0.1:'])
  const secrets = [...compose.matchAll(/^ +(\w*(?:PASSWORD|SECRET|AUTH|DATABASE_URL)\w*): (.*)$/gm)]
  expect(secrets.length).toBe(6)
  expect(secrets.filter(([, , value = '']) => !/\$\{\w+:\?[^}]+\}/.test(value)).map(([line]) => line)).toEqual([])
})

test('images are pinned to a version and its digest, and packages are those of the lock file', () => {
  const images = ['Dockerfile', 'compose.yaml'].flatMap((name) =>
    [...read(name).matchAll(/^(?:FROM| +image:) (\S+)/gm)].map(([, image = '']) => image),
  )
  expect(images.length).toBe(5)
  expect(images.filter((image) => !/:v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
  expect(read('Dockerfile')).toMatch(/^RUN npm ci /m)
  expect(read('Dockerfile')).not.toMatch(/npm i(nstall)? /)
})
