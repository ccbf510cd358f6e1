import { clientsContract } from '#domains/clients/contract.ts'
import { importsContract } from '#domains/imports/contract.ts'
import { siteStatusLabels } from '#domains/sites/checks/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { networkSitesContract } from '#domains/sites/network/contract.ts'
import { redirectDomainsContract } from '#domains/sites/redirects/contract.ts'
import { createScreenPage, createVariant, type GuidePage, type GuideSection, isStaff } from './guide-page.ts'

const [liveStatus, offlineStatus] = [siteStatusLabels[1], siteStatusLabels[0]]

const checksSection: GuideSection = {
  title: 'Checks',
  says: [
    `Every site is looked at each quarter of an hour; **Check now** in the row does not wait for that. One miss says nothing, two in a row make a site ${offlineStatus}; one that answers again is ${liveStatus}.`,
    '**Blocked** means that the site keeps programs out: whether people get in is not known, and its status stays. Point at a status to read what was wrong, and when it was looked at. **Logs** has each change.',
  ],
}

const importSection: GuideSection = {
  title: 'From a file',
  to: importsContract.upload.allow,
  says: ['**Import** brings many at once from a CSV file.'],
}

export const sitePages: readonly GuidePage[] = [
  createScreenPage('/clients', [
    createVariant(
      { name: 'clients', alt: 'The list of clients with their email, notifications and campaigns' },
      {
        says: [
          'Whom the agency works for. Each client has one login account; their campaigns are named in the row. The search finds names and emails.',
        ],
      },
      {
        title: 'Signing in',
        to: clientsContract.update.allow,
        says: [
          'A client signs in with a nickname or email on the client login site, or by a remote token: **Generate** in the client’s dialog makes one, it lasts 90 days, and a new one replaces it.',
          '**Active** switches that account off and on. Switched off, it is out at once, and its token is gone.',
        ],
      },
      {
        title: 'Mails',
        says: [
          'New leads are mailed to the client’s email and the additional ones (one a line in the dialog), unless **Notifications** are off.',
        ],
      },
      {
        title: 'Who may change a client',
        says: ['Only who has all campaigns of a client changes it; to others the row has no buttons.'],
      },
      importSection,
    ),
  ]),
  createScreenPage('/client-sites', [
    createVariant(
      { name: 'client-sites', alt: 'Client sites with their campaign, status and IP' },
      {
        says: [
          'The sites that leads come through. A site’s campaign is the campaign of its leads. **Domains**, **Links** and **301’s** lead to what of ours leads there.',
        ],
      },
      checksSection,
      {
        title: 'Connecting a site',
        to: clientSitesContract.hook.allow,
        says: [
          '**Hooks** in a row shows the two addresses to enter at CallRail and Formidable, and the key that the site’s forms carry; whoever has the key can send leads. The CallRail Company ID in the site’s dialog says which calls are its own.',
        ],
      },
      importSection,
    ),
  ]),
  createScreenPage('/network-sites', [
    createVariant(
      { name: 'network-sites', alt: 'Network sites with status, registrar and expiration' },
      {
        says: [
          'The agency’s own network. Beside its status, each site has what is publicly known of its domain: registrar, dates, nameservers, IP and where it redirects to.',
          'An expiration is amber within two months and red within one. A certificate that ends within two weeks says so beside the HTTP code.',
          'Google Index says **Not checked** where no search service is connected: nothing is guessed.',
        ],
      },
      checksSection,
      {
        title: 'Links',
        says: [
          '**Links** in a row opens the outgoing links of that site. The last column says why links could not be read lately.',
        ],
      },
      {
        title: 'Export',
        to: networkSitesContract.csv.allow,
        says: ['**Export** saves the filtered list as network_sites.csv.'],
      },
    ),
  ]),
  createScreenPage('/network-sites/outgoing-links', [
    createVariant(
      { name: 'network-sites-outgoing-links', alt: 'Outgoing links with their anchors and when they were seen' },
      {
        says: [
          'Every link from a network site to another host, with its anchor and rel. Sites are read once a day.',
          'A link that is gone stays in the list, with the day it was lost. When a site cannot be read, nothing is lost. Point at **Seen** for the page that has it.',
          'From a client site, **Links** comes here with its host; the cross takes that away again. **Export** saves outgoing-links.csv.',
        ],
      },
    ),
  ]),
  createScreenPage('/categories', [
    createVariant(
      { name: 'categories', alt: 'Categories of network sites with how many sites they have' },
      {
        says: [
          'Categories of network sites. The number leads to the sites of one. A category that has sites cannot be deleted: it says how many they are.',
        ],
      },
    ),
  ]),
  createScreenPage('/redirect-domains', [
    createVariant(
      { name: 'redirect-domains', alt: 'Domains and where they redirect to' },
      {
        says: ['Domains that send their visitors on, with their status and what is known of their registration.'],
      },
      {
        title: 'Adding and deleting',
        to: redirectDomainsContract.create.allow,
        says: [
          '**Add 301 domain** also adds it in cPanel, deleting also deletes it there. The steps stand above the list while they run; when cPanel refuses, what was done is taken back and its words are shown. A domain that could not be removed says **Not removed**.',
          'Where cPanel is not connected, the page says what to set.',
        ],
      },
    ),
  ]),
  createScreenPage('/ips', [
    createVariant(
      { name: 'ips', alt: 'IP addresses with how many sites are on them' },
      {
        says: [
          'Every IP address that sites of yours are on, with its owner, country and region. The numbers lead to the network sites and client sites of an address.',
        ],
      },
    ),
  ]),
  createScreenPage(
    '/cpanel',
    [{ to: isStaff, sections: [{ says: ['A placeholder. Domains at cPanel are kept in 301 Domains.'] }] }],
    'cPanel',
  ),
]
