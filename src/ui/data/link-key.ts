import { useParams } from '@tanstack/react-router'
import { trimLink } from './address-secrets.ts'

/** Returns the key in the path of a mailed link. */
export function useLinkKey(): string {
  const { key = '' } = useParams({ strict: false }) as { key?: string } // of any such route
  return trimLink(key)
}
