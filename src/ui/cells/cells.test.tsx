import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { nameCell, renderPageLink } from './cells.tsx'

/** A page that shows the cell, in an app that has these other pages. */
async function shown(paths: string[]): Promise<string> {
  const root = createRootRoute()
  const pages = ['/', ...paths].map((path) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: () => renderPageLink('/campaigns', { campaign_category_id: 7 }, '12'),
    }),
  )
  const history = createMemoryHistory({ initialEntries: ['/'] })
  const router = createRouter({ routeTree: root.addChildren(pages), history, isServer: true })
  await router.load()
  return renderToString(<RouterProvider router={router} />)
}

test('a count links to its filtered list as soon as that screen is there [CCAT-03]', async () => {
  expect(await shown(['/campaigns'])).toContain('href="/campaigns?campaign_category_id=7"')
})

test('until then it is a plain number, not a link to nowhere', async () => {
  const html = await shown([])
  expect(html).toContain('12')
  expect(html).not.toContain('href')
})

test('a long name keeps its end, which is its city, and is whole in its title', () => {
  const name = 'Acme Roofing and Siding Company – San Antonio'
  const html = renderToString(nameCell(name))
  expect(html).toContain(`title="${name}"`)
  expect(html).toContain('<span>– San Antonio</span>')
  expect(renderToString(nameCell('Bluebonnet Pest Control Sacramento'))).toContain('<span>Sacramento</span>')
  expect(html.replaceAll(/<[^>]+>/g, '')).toBe(name)
  expect(renderToString(nameCell('North Roofing'))).not.toContain('<span>Roofing')
})
