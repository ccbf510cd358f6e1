import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Allow } from '#contract/allow.ts'
import { loadMe, useMe } from '#domains/access/ui/current-user.ts'
import { ApiError } from '#ui/data/api.ts'
import { parseSearch, stringifySearch } from '#ui/data/search-params.ts'
import { dropSession } from '#ui/data/session-token.ts'
import { Broken, LoadingScreen, NoAccess, NotFound } from '#ui/feedback/page-states.tsx'
import { sayFailure } from '#ui/feedback/toast.tsx'
import { AuthLayout, SimpleLayout } from '../layout/BareLayout.tsx'
import { Layout } from '../layout/Layout.tsx'
import { screens as declared } from './screens.ts'

const screens = new Map(
  declared.map(({ path, load }) => [path, lazyRouteComponent(() => load().catch(awaitingNetwork))]),
)

/** Without a network the router would load the page anew, which cannot come either. */
function awaitingNetwork(problem: unknown): never {
  throw navigator.onLine ? problem : new ApiError(0, 'This page comes as soon as the network is back.')
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: Broken })

const auth = createRoute({ getParentRoute: () => root, id: 'auth', component: AuthLayout })
const login = createRoute({
  getParentRoute: () => auth,
  path: '/login',
  component: lazyRouteComponent(() => import('#domains/access/sign-in/ui/screen.tsx')),
})

/** Pages for holders of a mailed link. */
const simple = createRoute({ getParentRoute: () => root, id: 'simple', component: SimpleLayout })
const rate = createRoute({
  getParentRoute: () => simple,
  path: '/rate',
  component: lazyRouteComponent(() => import('#domains/leads/rating/ui/screen.tsx')),
})
const rateNotLead = createRoute({
  getParentRoute: () => simple,
  path: '/rate/not-lead',
  component: lazyRouteComponent(() => import('#domains/leads/rating/ui/screen.tsx'), 'RateNotLead'),
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

const screenRoutes = declared.map(({ path, allow }) => {
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
