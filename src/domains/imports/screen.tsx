import { useAddress } from '#web/address.ts'
import { wholeNumber } from '#web/listAddress.ts'
import { Screen } from '#web/Screen.tsx'
import { History } from './History.tsx'
import { NewImport } from './NewImport.tsx'
import { OneImport } from './OneImport.tsx'
import { importKinds } from './words.ts'

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
