import { getReadableFields } from '#domains/leads/contract.ts'
import { maxExportRows } from '#domains/leads/export/contract.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { leadTags, missedCallTags, progressLabels } from '#domains/leads/labels.ts'
import { leadMailsContract } from '#domains/leads/mail/contract.ts'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import {
  createScreenPage,
  createVariant,
  type GuidePage,
  type GuideSection,
  isAnyone,
  isClientUser,
  isStaff,
} from './guide-page.ts'

const canSeeTags = (me: Parameters<typeof isStaff>[0]) => getReadableFields(me).has('tags')
const missedTagsText = missedCallTags.join(' or ')
const progressText = Object.values(progressLabels).join(', ')

const findingSection: GuideSection = {
  title: 'Finding leads',
  says: [
    'The list starts with the last month, the newest first. Every word of **Search** must be somewhere in the lead: name, email, phone, message, location, company or notes. A phone is found however it is written.',
    '**More** opens the rest: type, answering status, progress, and boxes such as **First Call**, **Voicemail** or **Not rated**. The number beside a choice says how many leads you would see with it; beside Value and Profit it is their sum, beside Rating the average.',
    'The address of the page holds your choice: keep it as a bookmark, or send it to a colleague. **Reset** goes back to the last month.',
  ],
}

const newLeadsSection: GuideSection = {
  title: 'New leads',
  says: [
    'When leads come in, a button beside the title says how many. Nothing moves under your hands: a click on it shows them.',
  ],
}

const inlineEditingSection: GuideSection = {
  title: 'Editing where it stands',
  says: [
    'Cells are saved when you leave them, or with `Ctrl` `Enter`; `Esc` takes back what you typed. A cell that could not be saved goes back and says **Not saved** with the reason; a click on it tries again. If a colleague changed the same field a moment before, you see their value.',
  ],
}

const feedbackSection: GuideSection = {
  title: 'Saying how it went',
  says: [
    [
      `**Progress** is one of ${progressText}. A click on the one that is set clears it.`,
      '**Rating** is one to five stars. A click on the last full star takes them back.',
      '**Company Name**, **Client Notes**, **Value** and **Profit** are typed into their cells; amounts are whole dollars.',
    ],
  ],
}

const recordingsSection: GuideSection = {
  title: 'Listening and reading on',
  says: [
    'A call shows its length and a button that plays it, at 1, 1.5 or 2 times its speed. **No recording** means that CallRail has none. A message of more than 100 characters ends with **Read More**.',
    'Email and phone can be clicked, and copied with the button beside them. **First Call** marks a number that had never called that campaign before; a click on it shows first calls only.',
  ],
}

const columnsSection: GuideSection = {
  title: 'Columns and files',
  says: [
    '**Select Table Columns** hides what you do not need, for you alone. A click on a column’s head sorts: up, down, and back to the newest first.',
    `**Export** saves the filtered list as leads.csv, in its order and with the columns that you see, at most ${maxExportRows.toLocaleString('en-US')} leads.`,
  ],
}

const rowColorsText = `A green row with a bar is verified. A yellow one is a missed call: tagged ${missedTagsText}.`

export const leadPages: readonly GuidePage[] = [
  createScreenPage('/leads', [
    {
      to: isStaff,
      picture: { name: 'leads', alt: 'The list of leads with its filters; rows of verified leads are green' },
      sections: [
        {
          says: [
            'Every call and every form of your campaigns is a row here. Most of the day’s work is done in this list: read or listen, verify, tag, go on to the next.',
          ],
        },
        findingSection,
        newLeadsSection,
        {
          title: 'Working on a lead',
          says: [
            rowColorsText,
            [
              '**Verified** counts the lead for the client.',
              '**Notes** are for you to write; clients and leads handlers read them.',
              '**Is Hidden** takes the lead away from clients and leads handlers.',
            ],
          ],
        },
        {
          title: 'Tags',
          to: canSeeTags,
          says: [
            `Tags say what is wrong with a lead: ${leadTags.join(', ')}. The pencil beside them opens the list. Point at an automatic tag to read why it is there.`,
          ],
        },
        inlineEditingSection,
        feedbackSection,
        recordingsSection,
        {
          title: 'Mails about a lead',
          to: leadMailsContract.sendWarning.allow,
          says: [
            'A new lead that is no spam is mailed to the client once. On a missed call, **Send Warning** and **Resend Notification** mail the client again. The envelope beside them says what became of the latest mail: waiting, sent, perhaps sent, or refused.',
          ],
        },
        {
          title: 'What happened to a lead',
          to: leadHistoryContract.read.allow,
          says: [
            '**History** in the row lists who changed what, its mails, ratings by mail and the events it came from. A button beside a change puts the old value back.',
          ],
        },
        columnsSection,
        {
          title: 'Keys',
          says: [
            'With a row in focus (`↑` `↓`): `v` verifies and goes on, `1` to `5` set the progress, `p` plays the recording, `h` opens the history, `r` related leads, `e` the dialog. `?` lists them all.',
          ],
        },
      ],
    },
    {
      to: isClientUser,
      picture: { name: 'leads-client', alt: 'The list of one client’s leads, with progress and stars in each row' },
      sections: [
        {
          says: ['Every call and every form that came in for you is a row here. Say how each went, and we learn.'],
        },
        findingSection,
        newLeadsSection,
        feedbackSection,
        inlineEditingSection,
        recordingsSection,
        {
          title: 'Colours',
          says: ['A green row is verified: we count it as a lead for you. A yellow one is a call that was missed.'],
        },
        {
          title: 'Putting leads away',
          says: [
            '**Archive** takes a lead off the list for everyone on your side; the agency sees the archive too. It can be undone at once, and later in Leads Archive.',
          ],
        },
        columnsSection,
      ],
    },
    {
      to: isAnyone,
      picture: { name: 'leads-client', alt: 'The list of leads, with progress and stars in each row' },
      sections: [
        { says: ['Every call and every form of the campaigns that are ticked for you is a row here.'] },
        findingSection,
        newLeadsSection,
        feedbackSection,
        inlineEditingSection,
        recordingsSection,
        {
          title: 'Colours and tags',
          says: [
            rowColorsText,
            'Verified, tags and notes are set by the agency’s admins; what they hide is not in your list.',
          ],
        },
        {
          title: 'Putting leads away',
          says: [
            '**Archive** takes a lead off the list for everyone who is no admin, the client too. It can be undone at once, and later in Leads Archive.',
          ],
        },
        columnsSection,
      ],
    },
  ]),
  createScreenPage('/leads/archive', [
    {
      to: isStaff,
      picture: { name: 'leads-archive', alt: 'The archive of leads' },
      sections: [
        {
          says: [
            'Clients and leads handlers put leads away that they are done with. You see both lists, and both can be edited; only they move a lead from one to the other.',
            'Archived leads are not counted in Leads Table and Leads Chart.',
          ],
        },
        findingSection,
      ],
    },
    {
      to: isAnyone,
      picture: { name: 'leads-archive-client', alt: 'The archive of leads' },
      sections: [
        {
          says: [
            'What you or somebody on your side put away. The agency sees it too. **Unarchive** brings a lead back to the list.',
          ],
        },
        findingSection,
        feedbackSection,
      ],
    },
  ]),
  createScreenPage('/leads-related', [
    createVariant(
      { name: 'leads-related', alt: 'Leads that share a phone or an email with another one' },
      {
        says: [
          'Leads that share a phone or an email with another one, in whatever campaign: somebody who asked several of your clients, or a spammer at work.',
          'Blacklist and Spammers are here too. Edits are made in place, as in Leads.',
        ],
      },
      {
        title: 'Of one lead',
        to: relatedLeadsContract.ofLead.allow,
        says: [
          '**Related Leads** in a row of Leads shows that lead on top, and below it those of the same phone or email in its own campaign.',
        ],
      },
    ),
  ]),
]
