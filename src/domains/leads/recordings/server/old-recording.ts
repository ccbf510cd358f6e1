import type { AppContext } from '#domains/app-context.ts'
import { listConnections, readConnectionSecret } from '#domains/connections/public.ts'
import { LegacyServer } from '#integrations/legacy/legacy-server.ts'

/** Returns the address at which an old system plays a recording that stayed there; null for any other recording. */
export async function findOldRecording(
  context: AppContext,
  url: string,
  stopping: AbortSignal,
): Promise<string | null> {
  for (const { id, address } of await listConnections(context, 'legacy')) {
    const [, path] = address !== null && url.startsWith(`${address}/api/`) ? url.split(`${address}/api/`) : []
    if (!address || !path) continue
    const secret = await readConnectionSecret(context, 'legacy', id)
    if (secret === null) continue
    const server = new LegacyServer(context.outbound, { address, token: secret.token }, { stopping, tries: 1 })
    return server.readAddress(path, 'a recording')
  }
  return null
}
