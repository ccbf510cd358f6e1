import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { type Allow, admin, both, may, signedIn, superAdmin } from '#contract/allow.ts'
import { parseSearch, stringifySearch } from './address.ts'
import { ApiError } from './api.ts'
import { AuthLayout, SimpleLayout } from './BareLayout.tsx'
import { Layout } from './Layout.tsx'
import { loadMe, useMe } from './me.ts'
import { dropSession } from './session.ts'
import { Broken, LoadingScreen, NoAccess, NotFound } from './states.tsx'
import { sayFailure } from './toast.tsx'

type Load = () => Promise<{ default: () => ReactNode }>
type Page = { path: string; allow: Allow; load: Load }

/** One line a screen. Its menu entry appears as soon as its line is here. */
const pages: readonly Page[] = [
  { path: '/', allow: signedIn, load: () => import('#domains/dashboard/screen.tsx') },
  { path: '/leads', allow: may('leads'), load: () => import('#domains/leads/screen.tsx') },
  {
    path: '/leads/archive',
    allow: may('archivedleads'),
    load: async () => ({ default: (await import('#domains/leads/screen.tsx')).LeadsArchive }),
  },
  { path: '/leads/table', allow: may('leadChart'), load: () => import('#domains/leads/by-week/screen.tsx') },
  { path: '/leads/chart', allow: may('leadChart'), load: () => import('#domains/leads/chart/screen.tsx') },
  {
    path: '/leads-related',
    allow: both(admin, may('leadsRelated')),
    load: () => import('#domains/leads/related/screen.tsx'),
  },
  { path: '/campaigns', allow: both(admin, may('campaigns')), load: () => import('#domains/campaigns/screen.tsx') },
  {
    path: '/campaign-categories',
    allow: may('campaignCategories'),
    load: () => import('#domains/campaign-categories/screen.tsx'),
  },
  {
    path: '/campaigns-changelog',
    allow: both(admin, may('changelog')),
    load: () => import('#domains/activity/changelog/screen.tsx'),
  },
  {
    path: '/activity-log',
    allow: both(admin, may('activityLog')),
    load: () => import('#domains/activity/log/screen.tsx'),
  },
  {
    path: '/campaign-gmbs/map',
    allow: both(admin, may('campaignMap')),
    load: () => import('#domains/campaign-map/screen.tsx'),
  },
  { path: '/campaign-gmbs', allow: both(admin, may('campaignGmbs')), load: () => import('#domains/gmbs/screen.tsx') },
  {
    path: '/gmb-manager',
    allow: both(admin, may('googleLocations')),
    load: () => import('#domains/google-locations/screen.tsx'),
  },
  { path: '/clients', allow: both(admin, may('clients')), load: () => import('#domains/clients/screen.tsx') },
  {
    path: '/admin/pages',
    allow: both(admin, may('admin_pages')),
    load: () => import('#domains/access/admins/screen.tsx'),
  },
  { path: '/admin/audit', allow: superAdmin, load: () => import('#domains/audit/screen.tsx') },
  {
    path: '/leads-handlers',
    allow: both(admin, may('leads_handlers')),
    load: () => import('#domains/access/handlers/screen.tsx'),
  },
  {
    path: '/client-sites',
    allow: both(admin, may('clientSites')),
    load: () => import('#domains/client-sites/screen.tsx'),
  },
  {
    path: '/network-sites',
    allow: both(admin, may('networkSites')),
    load: () => import('#domains/network-sites/screen.tsx'),
  },
  {
    path: '/network-sites/outgoing-links',
    allow: both(admin, may('outgoingLinks')),
    load: () => import('#domains/network-sites/links/screen.tsx'),
  },
  {
    path: '/categories',
    allow: both(admin, may('networkCategories')),
    load: () => import('#domains/network-categories/screen.tsx'),
  },
  {
    path: '/redirect-domains',
    allow: both(admin, may('redirectDomains')),
    load: () => import('#domains/redirect-domains/screen.tsx'),
  },
  { path: '/ips', allow: both(admin, may('ipAddresses')), load: () => import('#domains/ips/screen.tsx') },
  { path: '/import', allow: superAdmin, load: () => import('#domains/imports/screen.tsx') },
  { path: '/cpanel', allow: signedIn, load: () => import('./CPanel.tsx') },
  { path: '/user-guide', allow: signedIn, load: () => import('./UserGuide.tsx') },
]

const screens = new Map(pages.map(({ path, load }) => [path, lazyRouteComponent(() => load().catch(awaitingNetwork))]))

/** Without a network the router would load the page anew, which cannot come either. */
function awaitingNetwork(problem: unknown): never {
  throw navigator.onLine ? problem : new ApiError(0, 'This page comes as soon as the network is back.')
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: Broken })

const auth = createRoute({ getParentRoute: () => root, id: 'auth', component: AuthLayout })
const login = createRoute({
  getParentRoute: () => auth,
  path: '/login',
  component: lazyRouteComponent(() => import('#domains/session/screen.tsx')),
})

/** Pages for holders of a mailed link. */
const simple = createRoute({ getParentRoute: () => root, id: 'simple', component: SimpleLayout })
const rate = createRoute({
  getParentRoute: () => simple,
  path: '/rate',
  component: lazyRouteComponent(() => import('#domains/rating/screen.tsx')),
})
const rateNotLead = createRoute({
  getParentRoute: () => simple,
  path: '/rate/not-lead',
  component: lazyRouteComponent(() => import('#domains/rating/screen.tsx'), 'RateNotLead'),
})

/** Everything else needs somebody signed in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Layout,
  beforeLoad: async ({ location }) => {
    // The screen comes while the server says who this is. What goes wrong with it is said when it is rendered.
    screens
      .get(location.pathname)
      ?.preload?.()
      ?.catch(() => undefined)
    try {
      await loadMe()
    } catch (problem) {
      dropSession()
      if (!(problem instanceof ApiError && problem.status === 401)) sayFailure(problem)
      throw redirect({ to: '/login' })
    }
  },
})

const screenRoutes = pages.map(({ path, allow }) => {
  const screen = screens.get(path)!
  const component = () => <Guarded allow={allow} screen={screen} />
  return createRoute({
    getParentRoute: () => inside,
    path,
    component: Object.assign(component, { preload: screen.preload }),
    errorComponent: Broken,
  })
})

/** An address that no screen has; a guest is sent to log in first, as from every other. */
const nowhere = createRoute({ getParentRoute: () => inside, path: '$', component: NotFound })

function Guarded({ allow, screen: Screen }: { allow: Allow; screen: ComponentType }) {
  return allow(useMe()) ? <Screen /> : <NoAccess />
}

export const router = createRouter({
  routeTree: root.addChildren([
    auth.addChildren([login]),
    simple.addChildren([rate, rateNotLead]),
    inside.addChildren([...screenRoutes, nowhere]),
  ]),
  // The router's own parser turns ip=1.10 into 1.1 and breaks long numbers; an address is text here.
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingScreen,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
})
