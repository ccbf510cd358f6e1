import type { ReactNode } from 'react'
import { signedIn } from '#contract/allow.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { appConfig } from '#ui/data/environment.ts'

export type TourStep = {
  title: string
  text: ReactNode
  /** Selectors of the step's target: the first visible one is highlighted. On a phone the menu is behind its button. */
  targets?: readonly string[]
}
type AudienceStep = { isFor: (me: CurrentUserDto) => boolean } & TourStep

const menuSelector = '[aria-label="Menu"]'
const menuButtonSelector = '[aria-label="Open menu"]'

const tourSteps: readonly AudienceStep[] = [
  {
    isFor: signedIn,
    title: `Welcome to ${appConfig.agencyName}`,
    text: 'Your menu shows only what you have access to.',
    targets: [menuSelector, menuButtonSelector],
  },
  {
    isFor: leadsContract.list.allow,
    title: 'Leads',
    text: 'The list starts with the last month. Choose dates, campaigns or words above it; the address of the page includes your filters, to bookmark or share.',
    targets: [`${menuSelector} [href="/leads"]`, menuButtonSelector],
  },
  {
    isFor: (me) => leadsContract.update.allow(me) && me.isAdmin,
    title: 'Editing in place',
    text: (
      <>
        Notes, tags and switches are changed in their cells, and saved when you leave them. <kbd>Esc</kbd> restores the
        old value.
      </>
    ),
  },
  {
    isFor: (me) => leadsContract.update.allow(me) && !me.isAdmin,
    title: 'Rate each lead',
    text: 'A click on a star or a progress in a row is saved at once; notes, value and profit are saved when you leave their cells.',
  },
  {
    isFor: (me) => me.isAdmin,
    title: 'Search',
    text: (
      <>
        <kbd>Ctrl</kbd> <kbd>K</kbd> finds any screen, campaign, client or site, and a lead by name, phone or email.
      </>
    ),
    targets: ['[aria-label="Find (Ctrl K)"]'],
  },
  {
    isFor: (me) => me.isAdmin,
    title: 'Shortcuts',
    text: (
      <>
        <kbd>?</kbd> lists the keys of the open screen. Row height, in your profile, makes the rows of every list lower
        or taller.
      </>
    ),
  },
  {
    isFor: signedIn,
    title: 'The guide',
    text: 'The question mark opens the guide’s page about your screen. You can restart this tour there.',
    targets: ['[data-guide]'],
  },
]

export const getTourSteps = (me: CurrentUserDto): TourStep[] => tourSteps.filter(({ isFor }) => isFor(me))
