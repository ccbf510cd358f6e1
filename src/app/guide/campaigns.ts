import { teamsContract } from '#domains/access/teams/contract.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { maxImageBytes } from '#domains/activity/files/contract.ts'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { importsContract } from '#domains/imports/contract.ts'
import { createScreenPage, createVariant, type GuidePage, type GuideSection } from './guide-page.ts'

const maxFileMegabytes = maxImageBytes / 1024 / 1024

const activitySection: GuideSection = {
  title: 'One item, two places',
  to: activityItemsContract.create.allow,
  says: [
    'What is done for a campaign or a team is noted once and stands in two places: the Activity Log lists it, the Campaigns Changelog lays it out by day.',
    `**Create New Item** writes for several campaigns and teams at once, makes it somebody’s task, and takes images (jpeg and png, at most ${maxFileMegabytes} MB each) that you pick, drop or paste. The date may be as early as yesterday; once it is written, campaign and date stay.`,
  ],
}

export const campaignPages: readonly GuidePage[] = [
  createScreenPage('/campaigns', [
    createVariant(
      { name: 'campaigns', alt: 'The list of active campaigns with their targets and fees' },
      {
        says: [
          'A campaign is what the agency does for one client: leads, sites, notes and listings belong to it. Active and archived ones have a tab each, with totals and averages below over everything that the search lets through.',
        ],
      },
      {
        title: 'Finding one',
        says: [
          '**Search by Campaign or Client Name** also finds the address of a client site. From Campaign Categories a number leads to the campaigns of that category; **Campaigns** in the title goes back to all.',
        ],
      },
      {
        title: 'Creating and editing',
        to: campaignsContract.update.allow,
        says: [
          '**Create New Campaign**, or the pencil in a row. The due date is a day of the month: there the cycle begins. Current Month Target is the initial target until three months have passed, then the 3, 6, 9 and 12 month target; one that is missing stays what it was before.',
          'Net is the service fee less the approved PPC, PPC % is PPC’s part of the fee. **Sticky in changelog** puts the campaign on top there.',
        ],
      },
      {
        title: 'Working hours',
        to: campaignsContract.update.allow,
        says: [
          'The clock in a row: a time zone, and for each weekday from when until when somebody answers. An unanswered call outside of them is tagged After Hours, inside of them Auto Missed Call.',
        ],
      },
      {
        title: 'Archiving',
        to: campaignsContract.archive.allow,
        says: [
          '**Archive** takes a campaign out of the choices everywhere; its leads keep coming in and being counted. **Restore** brings it back.',
        ],
      },
      {
        title: 'From a file',
        to: importsContract.upload.allow,
        says: ['**Import** brings many campaigns at once from a CSV file.'],
      },
    ),
  ]),
  {
    key: 'campaign-area',
    title: 'Where a campaign serves',
    allow: campaignsContract.update.allow,
    screen: '/campaigns',
    tellings: [
      createVariant(
        { name: 'campaign-area', alt: 'The area of a campaign drawn on a map, with its ZIP codes beside it' },
        {
          says: [
            '**Map**, in a campaign’s row, draws its area: **Draw polygon**, then a click for each corner, and one on the first corner to finish. Drag a corner to move it, the small dot between two to add one; a right click removes one. Sides that cross are refused.',
            'The list beside the map does the same by keyboard: arrow keys move a point, with `Shift` a little, `Insert` adds one, `Delete` removes it, `Ctrl` `Z` undoes.',
            'The ZIP codes whose centre lies inside, and their cities, are listed there, to be copied. **Save** keeps the area, and the Campaign Map shows it.',
          ],
        },
      ),
    ],
  },
  createScreenPage('/campaigns-changelog', [
    createVariant(
      { name: 'campaigns-changelog', alt: 'Campaigns by day, with the notes of each day in the cells' },
      {
        says: [
          'What was done, campaign by campaign and day by day: sticky campaigns first, then the others, then teams. It starts with the last month; the head of a day says how many notes it has.',
        ],
      },
      {
        title: 'Writing',
        to: activityItemsContract.create.allow,
        says: [
          '**Add Note** in a cell writes for that day; a click on a note edits it. Beside a campaign’s name stands a note of its own, for what is worth knowing on any day.',
          'By keyboard: arrow keys move from cell to cell, `Enter` edits or adds, `Shift` `Enter` adds another, `Ctrl` `Enter` saves, `Ctrl` `C` copies the notes of a cell.',
        ],
      },
      activitySection,
    ),
  ]),
  createScreenPage('/activity-log', [
    createVariant(
      { name: 'activity-log', alt: 'The list of notes and tasks with their assignees' },
      {
        says: [
          'Notes and tasks of all campaigns and teams, from a month ago to a month ahead. **My tasks** shows what is yours to do. A task that is not done when its day is over stands out as overdue; the switch in its row says that it is done.',
        ],
      },
      activitySection,
      {
        title: 'Teams',
        to: teamsContract.create.allow,
        says: ['**Teams** adds, renames and removes the teams that items can be written for.'],
      },
    ),
  ]),
  createScreenPage('/campaign-categories', [
    createVariant(
      { name: 'campaign-categories', alt: 'Categories with their colours and how many campaigns they have' },
      {
        says: [
          'Categories sort campaigns by trade. Their colours stand beside campaigns and fill the pins of the Campaign Map. The number leads to the campaigns of a category.',
        ],
      },
      {
        title: 'Keeping them',
        to: campaignCategoriesContract.create.allow,
        says: ['A category that campaigns use cannot be deleted: it says how many they are.'],
      },
    ),
  ]),
]
