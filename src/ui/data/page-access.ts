import { useRouter } from '@tanstack/react-router'
import type { AccessRule } from '#contract/allow.ts'
import { usePerson } from './person.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Who may open the page; everyone if it has no rule. */
    allow?: AccessRule
  }
}

/** Returns whether the app has a page at a path and this person may open it. */
export function usePageAccess(): (path: string) => boolean {
  const routes: Readonly<Record<string, { options: { staticData?: { allow?: AccessRule } } } | undefined>> =
    useRouter().routesByPath
  const { subject } = usePerson()
  return (path) => {
    const route = routes[path]
    return route !== undefined && (route.options.staticData?.allow?.(subject) ?? true)
  }
}
