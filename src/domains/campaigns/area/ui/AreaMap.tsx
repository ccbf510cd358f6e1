import { useRef } from 'react'
import { confirmClose } from '#ui/feedback/confirm.tsx'
import { useUnsavedGuard } from '#ui/form/useUnsavedGuard.ts'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { AreaEditor } from './AreaEditor.tsx'
import classes from './AreaMap.module.css'

type AreaMapProps = { campaign: { id: number; name: string }; onClose: () => void }

/** A campaign's service area: the polygon on a map, its points, and the places inside. */
export default function AreaMap({ campaign, onClose }: AreaMapProps) {
  const changed = useRef(false)
  async function close() {
    const isClosed = !changed.current || (await confirmClose())
    if (isClosed) onClose()
    return isClosed
  }
  useUnsavedGuard({ isUnsaved: () => changed.current, leave: close })
  return (
    <ModalDialog
      opened
      onClose={() => void close()}
      title={`Map of ${campaign.name}`}
      fullScreen
      classNames={{ content: arrange.column, body: classes.body }}
      // Escape first cancels a drawing; only then does it close the dialog.
      closeOnEscape={false}
    >
      <AreaEditor
        campaignId={campaign.id}
        onChanged={(isChanged) => {
          changed.current = isChanged
        }}
        onSaved={onClose}
        onLeave={() => void close()}
      />
    </ModalDialog>
  )
}
