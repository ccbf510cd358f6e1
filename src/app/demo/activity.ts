import sharp from 'sharp'
import { addDays, msPerDay, toUtcDay } from '#contract/days.ts'
import type { filesTable } from '#domains/activity/files/schema.ts'
import type { activityItemFilesTable, activityItemsTable } from '#domains/activity/schema.ts'
import type { DemoCampaign } from './agency.ts'
import type { SeededRandom } from './random.ts'
import type { DemoUser } from './staff.ts'
import { hasNoNotes } from './stories.ts'

type DemoItemRow = typeof activityItemsTable.$inferInsert & { id: number }
type DemoPicture = { id: number; key: string; data: Buffer }

/** From four months before `now` to two weeks after it. */
const [daysBehind, daysAhead] = [120, 14]

/**
 * Notes of staff about campaigns and teams: about two a week for each campaign, some of them tasks. Most past tasks
 * are done, and a few are overdue.
 */
export function createActivityItems(
  dice: SeededRandom,
  contracts: readonly DemoCampaign[],
  teams: number,
  people: readonly DemoUser[],
  now: Date,
) {
  const today = toUtcDay(now)
  const admins = people.filter(({ role }) => role === 'admin' || role === 'super_admin')
  const items: DemoItemRow[] = []
  const atDay = (day: number) => new Date(now.getTime() + day * msPerDay)
  const write = (of: Pick<DemoItemRow, 'campaign_id' | 'team_id'>, day: number, notes: readonly string[]) => {
    const isTask = day > 0 || dice.chance(0.18)
    const author = dice.pick(admins)
    const isDone = isTask && day <= 0 && (day < -12 || dice.chance(0.88))
    items.push({
      id: items.length + 1,
      ...of,
      date: addDays(today, day),
      note: dice.pick(isTask ? taskNotes : notes),
      user_id: author.id,
      is_task: isTask,
      assignee_id: isTask ? dice.pick(admins).id : null,
      is_done: isDone,
      created_at: new Date(now.getTime() + Math.min(day, 0) * msPerDay - dice.int(1, 8) * 3_600_000),
    })
  }
  for (let day = -daysBehind; day <= daysAhead; day += 1) {
    for (const contract of contracts)
      if (!contract.row.archived && dice.chance(day > 0 ? 0.03 : 0.28) && !hasNoNotes(contract, atDay(day)))
        for (let left = dice.chance(0.15) ? 2 : 1; left > 0; left -= 1)
          write({ campaign_id: contract.row.id, team_id: null }, day, changeNotes)
    for (let team = 1; team <= teams; team += 1)
      if (dice.chance(0.2)) write({ campaign_id: null, team_id: team }, day, teamNotes)
  }
  return items
}

/** Saves images for the notes, each under a key of the store. */
export function drawPictures(dice: SeededRandom): Promise<DemoPicture[]> {
  return Promise.all(
    [drawBars, drawLine, drawPage, drawMapPicture, drawBars, drawLine].map(async (draw, index) => {
      const [drawing, key] = [draw(dice), dice.text(32)]
      const data = await sharp(Buffer.from(drawing)).png({ palette: true }).toBuffer()
      return { id: index + 1, key, data }
    }),
  )
}

/** On some of the newest items. */
export function attachPictures(
  dice: SeededRandom,
  pictures: readonly DemoPicture[],
  items: readonly DemoItemRow[],
  now: Date,
) {
  const rows: (typeof filesTable.$inferInsert & { id: number })[] = pictures.map(({ id, key, data }) => ({
    id,
    user_id: items[0]!.user_id,
    key,
    mime: 'image/png',
    size: data.length,
    width: pictureWidth,
    height: pictureHeight,
    created_at: now,
  }))
  const links: (typeof activityItemFilesTable.$inferInsert)[] = []
  const recent = items.filter(({ date }) => date <= toUtcDay(now)).slice(-160)
  for (const item of recent.filter(() => dice.chance(0.15)))
    for (let position = 0, many = dice.int(1, 3); position < many; position += 1)
      links.push({ item_id: item.id, file_id: ((item.id + position) % pictures.length) + 1, position })
  return { rows, links }
}

const changeNotes = [
  'Raised the daily budget from $45 to $60; impressions were capped since Monday.',
  'New headline on the landing page: free estimate within 24 hours.',
  'Paused the broad match keywords, half of the clicks came from outside of the area.',
  'Answered three new reviews on Google.',
  'Added two photos of last week’s jobs to the listing.',
  'Moved the phone number above the fold on mobile.\nSee https://example.com/reports/phone-number for the numbers.',
  'Call with the client: wants more commercial jobs, fewer small repairs.',
  'Set up call tracking for the second location.',
  'Rankings moved from 7 to 4 for the main keyword.',
  'Ad schedule now follows the working hours.',
  'Added 140 negative keywords.',
  'Published the page about emergency service.',
]
const taskNotes = [
  'Send the monthly report and ask about the new crew.',
  'Check why the form on the contact page sends twice.',
  'Renew the domain before it expires.',
  'Ask the client for photos of finished jobs.',
  'Verify the listing again, the postcard did not come.',
  'Write two posts for the listing.',
  'Prepare the budget for next quarter.',
]
const teamNotes = [
  'Weekly meeting: moved the reports to Tuesday.',
  'New template for landing pages is ready: https://example.com/templates',
  'Went through all suspended listings together.',
  'Training on call tracking for the new colleague.',
]

// ——— drawings ———

const [pictureWidth, pictureHeight] = [640, 400]
const wrapSvg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureWidth}" height="${pictureHeight}"><rect width="100%" height="100%" fill="#f6f7f9"/>${content}</svg>`

const drawBars = (dice: SeededRandom) =>
  wrapSvg(
    Array.from({ length: 12 }, (_, n) => {
      const tall = dice.int(60, 320)
      return `<rect x="${30 + n * 49}" y="${370 - tall}" width="34" height="${tall}" rx="3" fill="#2a5bd7"/>`
    }).join(''),
  )

function drawLine(dice: SeededRandom) {
  const points = Array.from({ length: 14 }, (_, n) => `${30 + n * 44},${340 - n * 14 - dice.int(0, 70)}`).join(' ')
  return wrapSvg(`<polyline points="${points}" fill="none" stroke="#2e9e6b" stroke-width="6" stroke-linejoin="round"/>`)
}

const drawPage = (dice: SeededRandom) =>
  wrapSvg(
    `<rect x="60" y="30" width="520" height="340" rx="10" fill="#fff" stroke="#cbd2dc"/>
    <rect x="60" y="30" width="520" height="110" rx="10" fill="#134e37"/><rect x="90" y="65" width="${dice.int(200, 300)}" height="22" rx="4" fill="#fff"/>
    <rect x="90" y="100" width="120" height="24" rx="6" fill="#d39a1e"/>
    ${[170, 200, 230, 260, 290].map((y) => `<rect x="90" y="${y}" width="${dice.int(260, 450)}" height="12" rx="4" fill="#e3e7ed"/>`).join('')}`,
  )

const drawMapPicture = (dice: SeededRandom) =>
  wrapSvg(
    `<path d="M0 ${dice.int(120, 260)} L640 ${dice.int(120, 260)}" stroke="#cbd2dc" stroke-width="16"/>
    <path d="M${dice.int(160, 420)} 0 L${dice.int(160, 420)} 400" stroke="#cbd2dc" stroke-width="16"/>
    ${Array.from({ length: 5 }, () => `<circle cx="${dice.int(60, 580)}" cy="${dice.int(50, 350)}" r="14" fill="#b3261e"/>`).join('')}`,
  )
