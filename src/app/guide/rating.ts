import { leadsContract } from '#domains/leads/contract.ts'
import { progressLabels } from '#domains/leads/labels.ts'
import { type GuidePage, isAnyone, isClientUser, isStaff } from './guide-page.ts'

const progressText = Object.values(progressLabels).join(', ')
const ratingPicture = { name: 'rating', alt: 'The page that opens from a mail: the lead, five stars, and the progress' }

export const ratingPages: readonly GuidePage[] = [
  {
    key: 'rating',
    title: 'Rating by one click',
    allow: leadsContract.update.allow,
    tellings: [
      {
        to: isStaff,
        picture: ratingPicture,
        sections: [
          {
            title: 'What a client sees',
            says: [
              'A client signs in on the client login site, or by a sign-in link, and has two screens: Leads and Leads Archive, with the leads of their own campaigns. Hidden leads, and where a lead came from, are not shown to them. Your notes are, to read.',
              `They fill in Progress (${progressText}), Company Name, Client Notes, Value, Profit and the stars, and archive what they are done with.`,
            ],
          },
          {
            title: 'The mail',
            says: [
              'Every new lead that is no spam is mailed to the client and the additional emails, unless their notifications are off. A star in that mail opens a page without signing in, and is saved as the page opens; there the client can add the rest. **This is not a lead** sets the progress Not Lead.',
              'The links of a mail hold for 180 days. Mail scanners, which open every link, are told apart and taken back: the rating is what it was.',
              'Under the stars of the list stands how the rating came: **by mail**, **on page**, or **by staff**.',
            ],
          },
        ],
      },
      {
        to: isClientUser,
        picture: ratingPicture,
        sections: [
          {
            says: [
              'Each new lead is mailed to you. A click on a star in that mail is all it takes: a page opens, without signing in, and your rating is saved. On it you can listen to the call, say how it goes, and add notes, a value and a profit; **Save Lead** keeps them.',
              '**This is not a lead** in the mail says so with one click.',
              'The links of a mail hold for 180 days. Whoever has the mail can rate that one lead, and nothing else.',
            ],
          },
          {
            title: 'In the list',
            says: ['The stars of the list are the same ones: what you click there stands on the page too.'],
          },
        ],
      },
      {
        to: isAnyone,
        picture: ratingPicture,
        sections: [
          {
            says: [
              'Each new lead that is no spam is mailed to its client, who rates it with one click on a star: a page opens, without signing in, and the star is saved. There the client can add progress, notes, value and profit.',
              'Under the stars of your list stands how a rating came: **by mail**, **on page**, or **by staff**. What you click there stands on the client’s page too.',
            ],
          },
        ],
      },
    ],
  },
]
