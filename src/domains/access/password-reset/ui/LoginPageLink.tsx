import { Link } from '@tanstack/react-router'
import { getClientLoginPath } from '#ui/data/login-path.ts'
import { useSearchParams } from '#ui/data/search-params.ts'

/** Leads to the login of clients where the address says that a client reads it. */
export function LoginPageLink({ children }: { children: string }) {
  const [{ client }] = useSearchParams()
  return <Link to={client ? getClientLoginPath() : '/login'}>{children}</Link>
}
