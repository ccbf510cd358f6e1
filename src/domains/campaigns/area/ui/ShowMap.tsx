import { IconMap2 } from '@tabler/icons-react'
import { Suspense } from 'react'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { RowButton } from '#ui/table/RowButton.tsx'

// The map library is loaded with the first map that is opened.
const AreaMap = lazyComponent(() => import('./AreaMap.tsx'))

/** A light button for each row; the map behind it is made when it is opened. */
export function ShowMapButton({ campaign }: { campaign: { id: number; name: string } }) {
  const dialog = useDialog()
  return (
    <>
      <RowButton label="Map" icon={IconMap2} onClick={() => dialog.open(undefined)} />
      {dialog.opened && (
        <Suspense>
          <AreaMap campaign={campaign} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  )
}
