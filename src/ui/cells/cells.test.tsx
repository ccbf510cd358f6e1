import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { nameCell, renderPageLink } from './cells.tsx'

/** Renders a page with the cell, in an app that has these other pages. */
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

test('a count links to its filtered list if that screen exists [CCAT-03]', async () => {
  expect(await shown(['/campaigns'])).toContain('href="/campaigns?campaign_category_id=7"')
})

test('a count whose screen does not exist is a plain number, not a dead link', async () => {
  const html = await shown([])
  expect(html).toContain('12')
  expect(html).not.toContain('href')
})

test('a shortened name keeps its end, the city, and its title has the full name', () => {
  const name = 'Acme Roofing and Siding Company – San Antonio'
  const html = renderToString(nameCell(name))
  expect(html).toContain(`title="${name}"`)
  expect(html).toContain('<span>– San Antonio</span>')
  expect(renderToString(nameCell('Bluebonnet Pest Control Sacramento'))).toContain('<span>Sacramento</span>')
  const twoWords = 'Summit Peak Roofing and Gutters Colorado Springs'
  expect(renderToString(nameCell(twoWords))).toContain('<span>Colorado Springs</span>')
  expect(html.replaceAll(/<[^>]+>/g, '')).toBe(name)
  expect(renderToString(nameCell('North Roofing'))).not.toContain('<span>Roofing')
})
