import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useAction } from '#ui/data/useAction.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type SavedView, viewsContract } from '../contract.ts'
import { EditViewDialog } from './ViewDialogs.tsx'

/** Actions on the current view. */
export default function ViewMenu({ view, onRemoved }: { view: SavedView; onRemoved: () => void }) {
  const editing = useDialog()
  const update = useAction(viewsContract.update)
  const remove = useAction(viewsContract.remove, { details: [view.name] })
  const params = { id: view.id }
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="View options">
            <IconDots size={16} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void update.run({ params, body: { default: !view.default } })}>
            {view.default ? 'Stop using as my default' : 'Make it my default'}
          </Menu.Item>
          {view.may_change && <Menu.Item onClick={() => editing.open(undefined)}>Edit view…</Menu.Item>}
          {view.may_change && (
            <Menu.Item
              color="red"
              onClick={async () => {
                const outcome = await remove.run({ params })
                if (outcome.done) onRemoved()
              }}
            >
              Remove view
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <EditViewDialog view={view} opened={editing.opened} onClose={editing.close} />
    </>
  )
}
