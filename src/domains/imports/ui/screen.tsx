import { useSearchParams } from '#ui/data/search-params.ts'
import { ScreenFrame } from '#ui/layout/Screen.tsx'
import { parseWholeNumber } from '#ui/table/list-address.ts'
import { importKinds } from '../labels.ts'
import { ImportHistory } from './History.tsx'
import { NewImport } from './NewImport.tsx'
import { ImportDetails } from './OneImport.tsx'

/** A new import and the history, or one import. */
export default function ImportsScreen() {
  const [{ id, what }, write] = useSearchParams()
  const one = parseWholeNumber(id, 2_147_483_647)
  if (one !== undefined) return <ImportDetails key={one} id={one} />
  return (
    <ScreenFrame title="Import">
      <NewImport
        kind={importKinds.find((kind) => kind === what) ?? 'clients'}
        choose={(kind) => write((before) => ({ ...before, what: kind }), true)}
        onTaken={(taken) => write(() => ({ id: String(taken) }))}
      />
      <ImportHistory />
    </ScreenFrame>
  )
}
