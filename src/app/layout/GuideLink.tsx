import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { buildGuideUrl } from './guide-address.ts'

/** The guide's page about the open screen, in a new tab like the guide itself. A plain link, so that only readers fetch the guide. */
export function GuideLink() {
  const screen = useLocation({ select: ({ pathname }) => pathname })
  return (
    <ActionIcon
      component="a"
      href={buildGuideUrl(screen)}
      target="_blank"
      rel="noreferrer noopener"
      color="gray"
      aria-label="Guide to this screen"
      title="Guide to this screen"
      data-guide
    >
      <IconHelp size={18} aria-hidden="true" />
    </ActionIcon>
  )
}
