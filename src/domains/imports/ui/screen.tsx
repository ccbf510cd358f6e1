import { useAddress } from '#ui/data/search-params.ts'
import { Screen } from '#ui/layout/Screen.tsx'
import { wholeNumber } from '#ui/table/list-address.ts'
import { importKinds } from '../labels.ts'
import { History } from './History.tsx'
import { NewImport } from './NewImport.tsx'
import { OneImport } from './OneImport.tsx'

/** A file to bring, and the imports so far; or one of them. */
export default function Imports() {
  const [{ id, what }, write] = useAddress()
  const one = wholeNumber(id, 2_147_483_647)
  if (one !== undefined) return <OneImport key={one} id={one} />
  return (
    <Screen title="Import">
      <NewImport
        kind={importKinds.find((kind) => kind === what) ?? 'clients'}
        choose={(kind) => write((before) => ({ ...before, what: kind }), true)}
        onTaken={(taken) => write(() => ({ id: String(taken) }))}
      />
      <History />
    </Screen>
  )
}
