import { useRef } from 'react'
import { useUnsavedDialog } from '#ui/form/useUnsavedGuard.ts'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { AreaEditor } from './AreaEditor.tsx'
import classes from './AreaMap.module.css'

type AreaMapProps = { campaign: { id: number; name: string }; onClose: () => void }

/** A campaign's service area: the polygon on a map, its points, and the places inside. */
export default function AreaMap({ campaign, onClose }: AreaMapProps) {
  const changed = useRef(false)
  const close = useUnsavedDialog({ isUnsaved: () => changed.current, onClose })
  return (
    <ModalDialog
      opened
      onClose={close}
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
        onLeave={close}
      />
    </ModalDialog>
  )
}
