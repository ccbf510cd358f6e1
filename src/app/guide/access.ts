import { handlerFlags } from '#contract/allow.ts'
import { pageTitles } from '#contract/pages.ts'
import { adminsContract, leadsHandlersContract, userSessionsContract } from '#domains/access/contract.ts'
import { maxImportBytes, maxImportLines } from '#domains/imports/contract.ts'
import { importKindTitles } from '#domains/imports/labels.ts'
import { createScreenPage, createVariant, type GuidePage, type GuideSection } from './guide-page.ts'

const grantsSection: GuideSection = {
  title: 'Pages and campaigns',
  says: [
    '**Pages Access** says which screens somebody has, **Campaigns Access** whose rows they see there. A search narrows either list, and **Check all** ticks what it found. Nobody gives what they do not hold; a new person starts with nothing ticked.',
    'Without a new password in the dialog the old one stays. A password has at least 8 characters.',
  ],
}

const sessionsSection: GuideSection = {
  title: 'Where somebody is signed in',
  to: userSessionsContract.list.allow,
  says: ['**Sessions** in a row lists where and since when, and ends them all.'],
}

export const accessPages: readonly GuidePage[] = [
  createScreenPage('/admin/pages', [
    createVariant(
      { name: 'admin-pages', alt: 'The dialog of an admin, with the pages and campaigns that are ticked' },
      { says: ['The agency’s admins: who they are, and what they may open.'] },
      grantsSection,
      {
        title: 'Moving to Leads Handlers',
        to: adminsContract.move.allow,
        says: [
          '**Move to Leads Handlers** tells first which pages are taken away. Notes, tags, Verified and hidden leads are no longer theirs to change; the campaigns stay, and they are signed out everywhere.',
        ],
      },
      sessionsSection,
    ),
  ]),
  createScreenPage('/leads-handlers', [
    createVariant(
      { name: 'leads-handlers', alt: 'The list of leads handlers with how many campaigns they have' },
      {
        says: [
          `Leads handlers are restricted staff. For the campaigns ticked for them they can hold ${handlerFlags.map((flag) => pageTitles[flag]).join(', ')}, and they fill in what a client could.`,
        ],
      },
      grantsSection,
      {
        title: 'Moving to Admins',
        to: leadsHandlersContract.move.allow,
        says: [
          '**Move to Admins** adds no page and no campaign, but they then see hidden leads, tracking numbers and sources, and change notes, tags and Verified.',
        ],
      },
      sessionsSection,
    ),
  ]),
  createScreenPage(
    '/admin/audit',
    [
      createVariant(
        { name: 'admin-audit', alt: 'The trail of changes: who, when, what' },
        {
          says: [
            'Every change by a person to anything that matters: who, when, from which address, what it was and what it became. The button in a row shows both sides. Nothing can be changed or removed here.',
            'Narrow it by dates, person, kind and action, or by the number of one lead, campaign or client.',
          ],
        },
      ),
    ],
    'Audit Trail',
  ),
  createScreenPage(
    '/import',
    [
      createVariant(
        { name: 'import', alt: 'The page that takes a CSV file' },
        {
          says: [
            `${Object.values(importKindTitles).join(', ')} come in from a CSV file: UTF-8, at most ${maxImportBytes / 1024 / 1024} MB and ${maxImportLines.toLocaleString('en-US')} lines, with the columns named in the first. **Columns that are understood** lists what can stand in it.`,
          ],
        },
        {
          title: 'Step by step',
          says: [
            [
              'Say what the file holds, and choose it or drop it.',
              'Say which column is which; most are recognised by their names.',
              '**Check the lines** looks at every line and names what would be refused, and why. Nothing has been written yet.',
              '**Import** writes what is new. What is there already stays as it is.',
            ],
          ],
        },
        {
          title: 'Taking it back',
          says: [
            '**Undo import** removes what the import made, except what somebody has changed or used since: that stays, and says why. Nobody is mailed about imported leads.',
          ],
        },
      ),
    ],
    'Import',
  ),
]
