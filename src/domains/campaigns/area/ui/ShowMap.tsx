import { Button } from '@mantine/core'
import { IconMap2 } from '@tabler/icons-react'
import { Suspense } from 'react'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { IconButton } from '#ui/layout/ActionButton.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'

// The map library loads when the first map is opened.
const AreaMap = lazyComponent(() => import('./AreaMap.tsx'))

type ShowMapProps = {
  campaign: { id: number; name: string }
  /** Shown instead of the icon. */
  text?: string
}

/** A cheap button for each row; the map is created when opened. */
export function ShowMapButton({ campaign, text }: ShowMapProps) {
  const dialog = useDialog()
  return (
    <>
      {text ? (
        <Button variant="default" onClick={() => dialog.open(undefined)}>
          {text}
        </Button>
      ) : (
        <IconButton label="Map" icon={IconMap2} onClick={() => dialog.open(undefined)} />
      )}
      {dialog.opened && (
        <Suspense>
          <AreaMap campaign={campaign} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  )
}
