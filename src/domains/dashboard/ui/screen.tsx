import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { session } from '#domains/access/sign-in/contract.ts'
import { useMe } from '#domains/access/ui/current-user.ts'
import { external } from '#ui/cells/cells.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { text } from '#ui/form/fields.tsx'
import { ActionButton, IconButton } from '#ui/layout/ActionButton.tsx'
import { Screen } from '#ui/layout/Screen.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type ToolLink, toolLinks } from '../contract.ts'
import classes from './screen.module.css'

const fields = { label: text('Label'), url: text('URL', { placeholder: 'https://' }) }
/** The links are read with the signed-in person. */
const refreshes = [session.me]

/** Home: a greeting, and for super admins the links to the agency's other tools, which they keep. */
export default function Dashboard() {
  const me = useMe()
  if (!me) return null
  return <Screen title={`Hello, ${me.username}!`}>{me.isSuperAdmin && <Tools links={me.tools_links} />}</Screen>
}

function Tools({ links }: { links: readonly ToolLink[] }) {
  const creating = useDialog()
  const editing = useDialog<ToolLink>()
  return (
    <section className={classes.tools} aria-labelledby="tools">
      <header className={classes.head}>
        <h2 id="tools">Tools</h2>
        <Button variant="default" onClick={() => creating.open(undefined)}>
          Add link
        </Button>
      </header>
      {links.length === 0 && <p className={classes.empty}>List is empty</p>}
      <ul className={classes.links}>
        {links.map((link) => (
          <li key={link.id}>
            <span className={classes.label}>{external(link.url, link.label)}</span>
            <span className={classes.url}>{link.url}</span>
            <IconButton label={`Edit ${link.label}`} onClick={() => editing.open(link)}>
              <IconPencil size={16} aria-hidden="true" />
            </IconButton>
            <ActionButton
              call={toolLinks.remove}
              input={{ params: { id: link.id } }}
              label={`Remove ${link.label}`}
              icon={<IconTrash size={16} aria-hidden="true" />}
              refreshes={refreshes}
            />
          </li>
        ))}
      </ul>
      <FormDialog
        title="Add link"
        call={toolLinks.create}
        start={{ label: '', url: '' }}
        fields={fields}
        opened={creating.opened}
        onClose={creating.close}
        refreshes={refreshes}
      />
      {editing.subject && (
        <FormDialog
          title="Edit link"
          call={toolLinks.update}
          params={{ id: editing.subject.id }}
          start={{ label: editing.subject.label, url: editing.subject.url }}
          fields={fields}
          opened={editing.opened}
          onClose={editing.close}
          refreshes={refreshes}
        />
      )}
    </section>
  )
}
