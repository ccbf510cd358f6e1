import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { getGmbStatusName, gmbStatuses, suspendedStatus } from '#domains/listings/gmbs/labels.ts'
import { googleLocationsContract } from '#domains/listings/google/contract.ts'
import { verificationStatusLabels } from '#domains/listings/google/labels.ts'
import { createScreenPage, createVariant, type GuidePage } from './guide-page.ts'

export const listingPages: readonly GuidePage[] = [
  createScreenPage('/campaign-gmbs/map', [
    createVariant(
      { name: 'campaign-gmbs-map', alt: 'A map with the areas of campaigns and pins for their listings' },
      {
        says: [
          'Areas of campaigns, and a pin for each listing. A number stands for several pins close together; a click opens them out. A click on a pin tells its address, phone and campaign, with links to them.',
          `A green pin is Live, a red one ${getGmbStatusName(suspendedStatus)}, any other status orange. A category’s colour fills its pins, and the ring is the status.`,
          '**Campaigns**, **Category** and **Clients only** narrow the map; its address holds them.',
        ],
      },
      {
        title: 'What is not on it',
        says: [
          'A listing stands in the middle of its ZIP code: one whose address does not end with a ZIP code has no pin.',
        ],
      },
    ),
  ]),
  createScreenPage('/campaign-gmbs', [
    createVariant(
      { name: 'campaign-gmbs', alt: 'Listings with their status, what has changed, and when they were checked' },
      {
        says: [
          `Each campaign’s listings on Google Maps, with a status of ${gmbStatuses.map(({ name }) => name).join(', ')}. A row stands out when the listing is suspended, or when the public one is not what it was; both say since when.`,
        ],
      },
      {
        title: 'Checks',
        says: [
          'Every listing is looked at once a day; **Check now** does not wait for that, in a row or for the whole page. A broken bar at the row’s start means changed, a whole one suspended. Not found counts when it happened twice; what could not be read says why, and changes nothing.',
          'Where the listing is a location of a linked Google account, Google’s own word counts, suspensions included.',
          '**Logs**, in the row, tells what became what. **Accept as the new state** takes a change for granted.',
        ],
      },
      {
        title: 'Adding and editing',
        to: gmbsContract.update.allow,
        says: [
          '**Add New Campaign GMB** asks for the link of the listing on Google Maps, or its cid: 15 to 20 digits. An address that ends with a ZIP code puts the listing on the Campaign Map.',
          'A password is shown when you ask for it, and each look is noted. **Client Owned** and **Client Location** are switched in the row.',
        ],
      },
    ),
  ]),
  createScreenPage('/gmb-manager', [
    createVariant(
      { name: 'gmb-manager', alt: 'Locations of the linked Google accounts with their standing' },
      {
        says: [
          'The locations of every Google account that is linked, read every two hours and whenever you press **Sync now**.',
          `**Standing** is Google’s word: ${Object.values(verificationStatusLabels).join(', ')}. Suspended and disabled ones stand out.`,
        ],
      },
      {
        title: 'Editing',
        to: googleLocationsContract.update.allow,
        says: [
          '**Edit** asks Google first, shows what becomes what, and then changes it there. Google takes ten edits of a location a minute, and later ones wait their turn. What Google still reviews is named in **Edits**.',
        ],
      },
      {
        title: 'Accounts',
        to: googleLocationsContract.authUrl.allow,
        says: [
          '**Manage Accounts** links and unlinks them. Linking leads to Google’s own page and back. An account whose access has ended is marked **Needs re-link**: what is shown of it is as old as its last reading, and nothing is known of suspensions since.',
          'Where Google is not connected at all, the page says step by step what to set up.',
        ],
      },
    ),
  ]),
]
