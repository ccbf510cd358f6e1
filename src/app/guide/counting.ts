import { troubleStates } from '#domains/campaigns/labels.ts'
import { campaignStatesContract } from '#domains/campaigns/state/contract.ts'
import { missedCallTags } from '#domains/leads/labels.ts'
import { createScreenPage, createVariant, type GuidePage, type GuideSection, isStaff } from './guide-page.ts'

const countedLeadsSection: GuideSection = {
  title: 'What is counted',
  says: [
    `Verified leads, and missed ones: those tagged ${missedCallTags.join(' or ')} and not verified. Archived leads are not counted. A click on a number opens exactly its leads.`,
  ],
}

const cycleSection: GuideSection = {
  title: 'The cycle',
  says: [
    '**Verif.**, **Miss.** and **Days Left** are of the campaign’s current cycle: from one due day to the day before the next.',
  ],
}

const runRateSection: GuideSection = {
  title: 'Target and run rate',
  to: isStaff,
  says: [
    'The run rate is what the cycle would bring at today’s pace, divided by the target: 1.00 is on target. It is red and bold below 1 when 22 days or fewer are left, and blank without a target.',
  ],
}

export const countingPages: readonly GuidePage[] = [
  createScreenPage('/leads/table', [
    createVariant(
      { name: 'leads-table', alt: 'Campaigns with their verified and missed leads, week by week' },
      {
        says: [
          'Every campaign with its leads by week: verified / missed. The left part stands still while you scroll through the months; a month’s weeks begin on Mondays and are cut at its ends, so that they add up to its total. The number in brackets beside a month is the average of verified leads a campaign.',
        ],
      },
      countedLeadsSection,
      cycleSection,
      runRateSection,
      {
        title: 'Status and PPC',
        says: [
          `The status of a campaign colours its row: ${troubleStates.map(({ label }) => label).join(', ')}. Above the table stands how many campaigns are in each.`,
        ],
      },
      {
        title: 'Changing them',
        to: campaignStatesContract.updateTroubleState.allow,
        says: ['Status and PPC are changed where they stand, and can be undone from the message that says so.'],
      },
      {
        title: 'Around the table',
        says: [
          'Choose a year, or **Last 12 Month**. A campaign’s name opens its chart. **Export** saves what you see as lead_table.csv. Archived campaigns are there while they have leads in the months shown.',
        ],
      },
    ),
  ]),
  createScreenPage('/leads/chart', [
    createVariant(
      { name: 'leads-chart', alt: 'Confirmed and missed leads as bars, a pair for each week' },
      {
        says: [
          'Confirmed and missed leads over time, of all campaigns or of one, by week or by month, as bars or as lines. It starts with the last 12 months; **Date Range** has the years before as well.',
        ],
      },
      countedLeadsSection,
      {
        title: 'In numbers',
        says: ['**Show values** writes the drawing out as a table. **Export** saves it as lead_chart.csv.'],
      },
      {
        title: 'One campaign',
        says: ['With one campaign chosen, a line above the chart says where it stands in its cycle.'],
      },
      runRateSection,
    ),
  ]),
]
