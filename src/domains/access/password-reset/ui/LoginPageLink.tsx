import { Link } from '@tanstack/react-router'
import { appConfig } from '#ui/data/environment.ts'
import { useSearchParams } from '#ui/data/search-params.ts'

/** Leads to the login of clients where the address says that a client reads it. */
export function LoginPageLink({ children }: { children: string }) {
  const [{ client }] = useSearchParams()
  return <Link to={client && !appConfig.clientLoginUrl ? '/client-login' : '/login'}>{children}</Link>
}
