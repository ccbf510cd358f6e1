import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { AccessRule } from '#contract/allow.ts'
import { loadCurrentUser, readCurrentUser, useCurrentUser } from '#domains/access/ui/current-user.ts'
import type { GuestScreen, LoadScreen } from '#domains/ui-part.ts'
import { ApiError } from '#ui/data/api.ts'
import { loadPart } from '#ui/data/lazy-part.ts'
import { getLoginPath } from '#ui/data/login-path.ts'
import { keepPlace } from '#ui/data/return-place.ts'
import { parseSearch, stringifySearch } from '#ui/data/search-params.ts'
import { clearSession, setGuestPages } from '#ui/data/session-token.ts'
import { ErrorPage, NoAccessPage, NotFoundPage, ScreenSkeleton } from '#ui/feedback/page-states.tsx'
import { toastError } from '#ui/feedback/toast.tsx'
import { SimpleLayout } from '../layout/BareLayout.tsx'
import { AppLayout } from '../layout/Layout.tsx'
import { findFirstScreen } from './first-screen.ts'
import { guestScreens } from './parts.ts'
import { appScreens } from './screens.ts'

const screenComponents = new Map(appScreens.map(({ path, load }) => [path, lazyScreen(load)]))

setGuestPages(guestScreens.map(({ path }) => path))

// The first screen's code loads while the page is rendered around it. A failed load is reported when the screen is rendered.
preloadScreen(location.pathname)

function preloadScreen(path: string) {
  screenComponents
    .get(path)
    ?.preload?.()
    ?.catch(() => undefined)
}

function lazyScreen(load: LoadScreen) {
  return lazyRouteComponent(() => loadPart(load).catch(throwLoadError))
}

/** Without a network the router would reload the page, which would fail, too. */
function throwLoadError(problem: unknown): never {
  throw navigator.onLine ? problem : new ApiError(0, 'This page will load when the network is back.')
}

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: ErrorPage })

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'sign-in',
  component: lazyScreen(() => import('../layout/AuthLayout.tsx')),
})
const mailedLinkRoute = createRoute({ getParentRoute: () => rootRoute, id: 'mailed-link', component: SimpleLayout })

const buildGuestRoutes = (parent: typeof signInRoute | typeof mailedLinkRoute, layout: GuestScreen['layout']) =>
  guestScreens
    .filter((screen) => screen.layout === layout)
    .map(({ path, load }) => createRoute({ getParentRoute: () => parent, path, component: lazyScreen(load) }))

/** Everything else needs a signed-in user. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  component: AppLayout,
  beforeLoad: async ({ location }) => {
    // The screen's code loads while the server identifies the person.
    preloadScreen(location.pathname)
    try {
      await loadCurrentUser()
    } catch (problem) {
      clearSession()
      keepPlace(location.href, null)
      if (!(problem instanceof ApiError && problem.status === 401)) toastError(problem)
      throw redirect({ to: getLoginPath() })
    }
  },
})

const screenRoutes = appScreens.map(({ path, allow, hidden }) => {
  const screen = screenComponents.get(path)!
  const component = () => <GuardedScreen allow={allow} hidden={hidden} screen={screen} />
  return createRoute({
    getParentRoute: () => signedInRoute,
    path,
    staticData: { allow },
    beforeLoad: path === '/' ? leaveHome : undefined,
    component: Object.assign(component, { preload: screen.preload }),
    errorComponent: ErrorPage,
  })
})

function leaveHome() {
  const me = readCurrentUser()
  const first = me && findFirstScreen(me).path
  if (first && first !== '/') throw redirect({ to: first, replace: true })
}

/** An address without a screen; guests are sent to log in first, as everywhere. */
const notFoundRoute = createRoute({ getParentRoute: () => signedInRoute, path: '$', component: NotFoundPage })

type GuardedScreenProps = { allow: AccessRule; hidden: true | undefined; screen: ComponentType }

function GuardedScreen({ allow, hidden, screen: Screen }: GuardedScreenProps) {
  if (allow(useCurrentUser())) return <Screen />
  return hidden ? <NotFoundPage /> : <NoAccessPage />
}

export const appRouter = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute.addChildren(buildGuestRoutes(signInRoute, 'sign-in')),
    mailedLinkRoute.addChildren(buildGuestRoutes(mailedLinkRoute, 'mailed-link')),
    signedInRoute.addChildren([...screenRoutes, notFoundRoute]),
  ]),
  // The router's own parser turns ip=1.10 into 1.1 and breaks long numbers; here, parameters stay text.
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: ScreenSkeleton,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
})
