import { readableFields } from '#domains/leads/contract.ts'
import { maxExportRows } from '#domains/leads/export/contract.ts'
import { history } from '#domains/leads/history/contract.ts'
import { missedCallTags, progress, tags } from '#domains/leads/labels.ts'
import { leadMails } from '#domains/leads/mail/contract.ts'
import { related } from '#domains/leads/related/contract.ts'
import { aboutScreen, client, everybody, type GuidePage, type Section, staff, told } from './guide-page.ts'

const seesTags = (me: Parameters<typeof staff>[0]) => readableFields(me).has('tags')
const missed = missedCallTags.join(' or ')
const steps = Object.values(progress).join(', ')

const narrowing: Section = {
  title: 'Finding leads',
  says: [
    'The list starts with the last month, the newest first. Every word of **Search** must be somewhere in the lead: name, email, phone, message, location, company or notes. A phone is found however it is written.',
    '**More** opens the rest: type, answering status, progress, and boxes such as **First Call**, **Voicemail** or **Not rated**. The number beside a choice says how many leads you would see with it; beside Value and Profit it is their sum, beside Rating the average.',
    'The address of the page holds your choice: keep it as a bookmark, or send it to a colleague. **Reset** goes back to the last month.',
  ],
}

const arriving: Section = {
  title: 'New leads',
  says: [
    'When leads come in, a button beside the title says how many. Nothing moves under your hands: a click on it shows them.',
  ],
}

const inPlace: Section = {
  title: 'Editing where it stands',
  says: [
    'Cells are saved when you leave them, or with `Ctrl` `Enter`; `Esc` takes back what you typed. A cell that could not be saved goes back and says **Not saved** with the reason; a click on it tries again. If a colleague changed the same field a moment before, you see their value.',
  ],
}

const feedback: Section = {
  title: 'Saying how it went',
  says: [
    [
      `**Progress** is one of ${steps}. A click on the one that is set clears it.`,
      '**Rating** is one to five stars. A click on the last full star takes them back.',
      '**Company Name**, **Client Notes**, **Value** and **Profit** are typed into their cells; amounts are whole dollars.',
    ],
  ],
}

const listening: Section = {
  title: 'Listening and reading on',
  says: [
    'A call shows its length and a button that plays it, at 1, 1.5 or 2 times its speed. **No recording** means that CallRail has none. A message of more than 100 characters ends with **Read More**.',
    'Email and phone can be clicked, and copied with the button beside them. **First Call** marks a number that had never called that campaign before; a click on it shows first calls only.',
  ],
}

const columns: Section = {
  title: 'Columns and files',
  says: [
    '**Select Table Columns** hides what you do not need, for you alone. A click on a column’s head sorts: up, down, and back to the newest first.',
    `**Export** saves the filtered list as leads.csv, in its order and with the columns that you see, at most ${maxExportRows.toLocaleString('en-US')} leads.`,
  ],
}

const colours = `A green row with a bar is verified. A yellow one is a missed call: tagged ${missed}.`

export const leadPages: readonly GuidePage[] = [
  aboutScreen('/leads', [
    {
      to: staff,
      picture: { name: 'leads', alt: 'The list of leads with its filters; rows of verified leads are green' },
      sections: [
        {
          says: [
            'Every call and every form of your campaigns is a row here. Most of the day’s work is done in this list: read or listen, verify, tag, go on to the next.',
          ],
        },
        narrowing,
        arriving,
        {
          title: 'Working on a lead',
          says: [
            colours,
            [
              '**Verified** counts the lead for the client.',
              '**Notes** are for you to write; clients and leads handlers read them.',
              '**Is Hidden** takes the lead away from clients and leads handlers.',
            ],
          ],
        },
        {
          title: 'Tags',
          to: seesTags,
          says: [
            `Tags say what is wrong with a lead: ${tags.join(', ')}. The pencil beside them opens the list. Point at an automatic tag to read why it is there.`,
          ],
        },
        inPlace,
        feedback,
        listening,
        {
          title: 'Mails about a lead',
          to: leadMails.sendWarning.allow,
          says: [
            'A new lead that is no spam is mailed to the client once. On a missed call, **Send Warning** and **Resend Notification** mail the client again. The envelope beside them says what became of the latest mail: waiting, sent, perhaps sent, or refused.',
          ],
        },
        {
          title: 'What happened to a lead',
          to: history.read.allow,
          says: [
            '**History** in the row lists who changed what, its mails, ratings by mail and the events it came from. A button beside a change puts the old value back.',
          ],
        },
        columns,
        {
          title: 'Keys',
          says: [
            'With a row in focus (`↑` `↓`): `v` verifies and goes on, `1` to `5` set the progress, `p` plays the recording, `h` opens the history, `r` related leads, `e` the dialog. `?` lists them all.',
          ],
        },
      ],
    },
    {
      to: client,
      picture: { name: 'leads-client', alt: 'The list of one client’s leads, with progress and stars in each row' },
      sections: [
        {
          says: ['Every call and every form that came in for you is a row here. Say how each went, and we learn.'],
        },
        narrowing,
        arriving,
        feedback,
        inPlace,
        listening,
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
        columns,
      ],
    },
    {
      to: everybody,
      picture: { name: 'leads-client', alt: 'The list of leads, with progress and stars in each row' },
      sections: [
        { says: ['Every call and every form of the campaigns that are ticked for you is a row here.'] },
        narrowing,
        arriving,
        feedback,
        inPlace,
        listening,
        {
          title: 'Colours and tags',
          says: [
            colours,
            'Verified, tags and notes are set by the agency’s admins; what they hide is not in your list.',
          ],
        },
        {
          title: 'Putting leads away',
          says: [
            '**Archive** takes a lead off the list for everyone who is no admin, the client too. It can be undone at once, and later in Leads Archive.',
          ],
        },
        columns,
      ],
    },
  ]),
  aboutScreen('/leads/archive', [
    {
      to: staff,
      picture: { name: 'leads-archive', alt: 'The archive of leads' },
      sections: [
        {
          says: [
            'Clients and leads handlers put leads away that they are done with. You see both lists, and both can be edited; only they move a lead from one to the other.',
            'Archived leads are not counted in Leads Table and Leads Chart.',
          ],
        },
        narrowing,
      ],
    },
    {
      to: everybody,
      picture: { name: 'leads-archive-client', alt: 'The archive of leads' },
      sections: [
        {
          says: [
            'What you or somebody on your side put away. The agency sees it too. **Unarchive** brings a lead back to the list.',
          ],
        },
        narrowing,
        feedback,
      ],
    },
  ]),
  aboutScreen('/leads-related', [
    told(
      { name: 'leads-related', alt: 'Leads that share a phone or an email with another one' },
      {
        says: [
          'Leads that share a phone or an email with another one, in whatever campaign: somebody who asked several of your clients, or a spammer at work.',
          'Blacklist and Spammers are here too. Edits are made in place, as in Leads.',
        ],
      },
      {
        title: 'Of one lead',
        to: related.ofLead.allow,
        says: [
          '**Related Leads** in a row of Leads shows that lead on top, and below it those of the same phone or email in its own campaign.',
        ],
      },
    ),
  ]),
]
