import { Drawer } from '@mantine/core'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import classes from './Layout.module.css'
import { AppSidebar } from './Sidebar.tsx'

/** The side menu of a phone. Following a link closes it. */
export default function MenuDrawer({
  me,
  opened,
  onClose,
}: {
  me: CurrentUserDto
  opened: boolean
  onClose: () => void
}) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={260}
      padding={0}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': 'Menu' } }}
      classNames={{ body: classes.drawer }}
    >
      <AppSidebar me={me} collapsed={false} onFollow={onClose} />
    </Drawer>
  )
}
