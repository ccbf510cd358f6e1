import { importsContract } from '#domains/imports/contract.ts'
import { leadFormContract } from '#domains/leads/form/contract.ts'
import { leadSourcesContract } from '#domains/leads/sources/contract.ts'
import { spamContract } from '#domains/leads/spam/contract.ts'
import { createVariant, type GuidePage } from './guide-page.ts'

export const leadSourcePages: readonly GuidePage[] = [
  {
    key: 'adding-leads',
    title: 'Adding and editing leads',
    allow: leadFormContract.create.allow,
    screen: '/leads',
    tellings: [
      createVariant(
        { name: 'adding-leads', alt: 'The dialog in which a lead is added' },
        {
          says: [
            'Leads come in by themselves. What came another way, **Add Lead** takes down; the pencil in a row opens the same dialog for a lead that is there.',
          ],
        },
        {
          title: 'The fields',
          says: [
            'Campaign, ClientSite, Lead Date, Lead Time, Lead Type and Callrail Lead ID must be filled in. The pair of Lead Source and Callrail Lead ID is unique: the same call twice is one lead.',
            '**Notify** mails the client as for any new lead. Switch it off for what the client knows already.',
            'If somebody saved the same lead meanwhile, the dialog shows both values and keeps what you typed.',
          ],
        },
        {
          title: 'Many at once',
          to: importsContract.upload.allow,
          says: ['**Import** above the list brings leads from a CSV file. Nobody is mailed about those.'],
        },
      ),
    ],
  },
  {
    key: 'lead-sources',
    title: 'Where leads come from',
    allow: leadFormContract.create.allow,
    screen: '/leads',
    tellings: [
      createVariant(
        { name: 'lead-sources', alt: 'The dialog that lists sources which have fallen silent' },
        {
          title: 'How leads come in',
          says: [
            [
              'A call from CallRail or a form from Formidable belongs to the campaign of the site it came through.',
              'Known spammers and blacklisted words are tagged Autospam and BLSpam, hidden, and not mailed to the client.',
              'A voicemail is tagged Voicemail, an unanswered call outside the campaign’s working hours After Hours.',
              'A call that nobody took inside them is tagged Auto Missed Call.',
              'Every other lead is mailed to the client, whose click on a star of that mail becomes its rating.',
            ],
          ],
        },
        {
          title: 'Spammers and the blacklist',
          to: spamContract.saveKeywords.allow,
          says: [
            '**Blacklist** is one text, a keyword a line. A lead with one of them in name, email, message or URL is tagged BLSpam and hidden. **Spammers** are people by phone or email; theirs are tagged Autospam and hidden. Both hold for every campaign.',
          ],
        },
        {
          title: 'Silent sources',
          to: leadSourcesContract.list.allow,
          says: [
            'A line beside the title of Leads says when something needs you. A site is silent when nothing came for longer than a week and five times its usual gap: perhaps its form, or its hook, has stopped working.',
            'Leads that are unassigned came through a site that nobody has entered: only super admins see them, and **Edit Lead** gives them a campaign. Quarantined events were kept but could not be read as leads.',
            'Calls that no hook told of are found in CallRail’s own list, which is compared once an hour.',
          ],
        },
      ),
    ],
  },
]
