import { signedIn } from '#contract/allow.ts'
import { pageSizes } from '#contract/paged.ts'
import { toolLinksContract } from '#domains/dashboard/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import {
  createScreenPage,
  createVariant,
  type GuidePage,
  type GuideSection,
  isAnyone,
  isClientUser,
  isNotStaff,
  isStaff,
} from './guide-page.ts'

const passwordSection: GuideSection = {
  says: [
    'Your name in the top bar opens **Edit Profile**. Username and email are there to read; the password is changed with the old one and the new one twice. It has at least 8 characters, and one that is easily guessed is refused.',
    'Changing it ends your other sessions. A session lasts 30 days; **Log out** ends this one.',
  ],
}

export const startPages: readonly GuidePage[] = [
  createScreenPage('/', [
    {
      to: toolLinksContract.create.allow,
      picture: { name: 'home', alt: 'Home, with the links to the agency’s other tools' },
      sections: [
        {
          says: [
            'Home greets you. Under **Tools** stand links to whatever else the agency works with: **Add link** takes a label and an address, the pencil changes one. Super admins alone see and keep them.',
          ],
        },
      ],
    },
    // A client's menu has no Home.
    {
      to: (me) => !me.isCustomer,
      sections: [
        {
          says: [
            'Home greets you. Everything else is in the menu: what you do not find there has not been given to you.',
          ],
        },
      ],
    },
  ]),
  {
    key: 'getting-around',
    title: 'Finding your way',
    allow: signedIn,
    tellings: [
      createVariant(
        { name: 'getting-around', alt: 'The dialog that finds screens, campaigns, clients, leads and sites' },
        {
          title: 'The menu',
          says: [
            'The menu has the screens that you may open, and no others. The button beside it folds it to icons; on a phone it waits behind the same place.',
          ],
        },
        {
          title: 'Going anywhere',
          to: isNotStaff,
          says: [
            '`Ctrl` `K`, or the magnifying glass in the top bar, finds a screen, a campaign, or a lead by name, phone or email. `↑` `↓` choose, `Enter` goes there. Where you went last comes first.',
          ],
        },
        {
          title: 'Going anywhere',
          to: isStaff,
          says: [
            '`Ctrl` `K`, or the magnifying glass in the top bar, finds a screen, a campaign, a client, a site, or a lead by name, phone or email. `↑` `↓` choose, `Enter` goes there. Where you went last comes first.',
          ],
        },
        {
          title: 'This guide',
          says: ['The question mark in the top bar opens the page about the screen that you are on.'],
        },
        {
          title: 'Colors',
          says: ['The sun in the top bar goes from light to dark, and to what your system has.'],
        },
      ),
    ],
  },
  {
    key: 'lists',
    title: 'Lists and keys',
    allow: signedIn,
    tellings: [
      createVariant(
        { name: 'lists', alt: 'The list of every key that works on the open screen' },
        {
          title: 'Keys',
          says: [
            [
              '`↑` `↓` move from row to row, `←` `→` into the cells of a row.',
              '`Enter` opens the row, or goes into a cell; `Ctrl` `C` copies the cell.',
              '`Esc` closes a dialog, takes back what was typed, or leaves a cell.',
              '`Ctrl` `Enter` saves a form or a longer text.',
              '`?` lists every key of the open screen.',
            ],
          ],
        },
        {
          title: 'Columns',
          says: [
            'A column’s head sorts: up, down, and back. Drag a head to move its column, its edge to make it wider; `Ctrl` `←` `→` and `Shift` `←` `→` do the same. It is kept for you alone, and **Reset columns** under the list takes it back.',
          ],
        },
        {
          title: 'Rows',
          says: [
            `**Page size** is ${pageSizes.slice(0, -1).join(', ')} or ${pageSizes.at(-1)}, **Row height** makes rows lower or higher in every list of this browser.`,
          ],
        },
        {
          title: 'Filters',
          says: [
            'A filter that is set has a colour of its own, and **Reset** is there when there is something to reset. Filters, sort and page stand in the address: Back works, and a colleague with the same rights sees the same.',
          ],
        },
        {
          title: 'Files',
          to: isStaff,
          says: [
            '**Export**, above most lists, saves what the filters let through, in its order, as a CSV file. What is kept encrypted is in no file.',
          ],
        },
        {
          title: 'Dialogs',
          to: isStaff,
          says: [
            'A dialog with unsaved changes asks before it closes, and keeps what you typed when saving fails. If somebody saved the same thing meanwhile, it shows what is newer.',
          ],
        },
      ),
    ],
  },
  {
    key: 'profile',
    title: 'Profile and password',
    allow: signedIn,
    tellings: [
      {
        to: isClientUser,
        picture: { name: 'profile', alt: 'The dialog in which a password is changed' },
        sections: [
          passwordSection,
          {
            title: 'Signing in',
            to: leadsContract.update.allow,
            says: [
              'You sign in on the client login site, or by a link that the agency sends you; such a link holds for 90 days.',
            ],
          },
        ],
      },
      {
        to: isAnyone,
        picture: { name: 'profile', alt: 'The dialog in which a password is changed' },
        sections: [
          passwordSection,
          {
            title: 'Signing in',
            says: [
              'With your username or your email. After ten failures an account is closed for a quarter of an hour.',
            ],
          },
        ],
      },
    ],
  },
]
