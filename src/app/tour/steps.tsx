import type { ReactNode } from 'react'
import { signedIn } from '#contract/allow.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'

export type TourStep = {
  title: string
  says: ReactNode
  /** What it speaks of: the first of these that is in sight. On a phone the menu is behind its button. */
  points?: readonly string[]
}
type AudienceStep = { to: (me: CurrentUserDto) => boolean } & TourStep

const menuSelector = '[aria-label="Menu"]'
const menuButtonSelector = '[aria-label="Open menu"]'

const tourSteps: readonly AudienceStep[] = [
  {
    to: signedIn,
    title: 'Welcome to Leadline',
    says: 'The menu has the screens that you may open, and no others.',
    points: [menuSelector, menuButtonSelector],
  },
  {
    to: leadsContract.list.allow,
    title: 'Leads',
    says: 'The list starts with the last month. Choose dates, campaigns or words above it; the address of the page keeps your choice, as a bookmark or for somebody else.',
    points: [`${menuSelector} [href="/leads"]`, menuButtonSelector],
  },
  {
    to: (me) => leadsContract.update.allow(me) && me.isAdmin,
    title: 'Editing where it stands',
    says: (
      <>
        Notes, tags and switches are changed in their cells, and saved when you leave them. <kbd>Esc</kbd> takes back
        what you typed.
      </>
    ),
  },
  {
    to: (me) => leadsContract.update.allow(me) && !me.isAdmin,
    title: 'Saying how it went',
    says: 'A click on a star or a progress in a row is saved at once; notes, value and profit when you leave their cells.',
  },
  {
    to: (me) => me.isAdmin,
    title: 'Going anywhere',
    says: (
      <>
        <kbd>Ctrl</kbd> <kbd>K</kbd> finds any screen, campaign, client or site, and a lead by name, phone or email.
      </>
    ),
    points: ['[aria-label="Find (Ctrl K)"]'],
  },
  {
    to: (me) => me.isAdmin,
    title: 'At the keyboard',
    says: (
      <>
        <kbd>?</kbd> lists the keys of the open screen. Row height, under every list, makes rows lower or higher.
      </>
    ),
  },
  {
    to: signedIn,
    title: 'The guide',
    says: 'The question mark opens the guide at the page about your screen. This tour can be taken again there.',
    points: ['[data-guide]'],
  },
]

export const getTourSteps = (me: CurrentUserDto): TourStep[] => tourSteps.filter(({ to }) => to(me))
