import { activityItems } from '#domains/activity/contract.ts'
import { campaigns } from '#domains/campaigns/contract.ts'
import { clients } from '#domains/clients/contract.ts'
import { gmbs } from '#domains/gmbs/contract.ts'
import { googleLocations } from '#domains/google-locations/contract.ts'
import { leadTable } from '#domains/leads/by-week/contract.ts'
import { missedCallTags } from '#domains/leads/words.ts'
import { useMe } from './me.ts'
import { Screen } from './Screen.tsx'
import classes from './UserGuide.module.css'

/** What a colleague would say on the first day. It tells each person what they can do, and nothing else. */
export default function UserGuide() {
  const me = useMe()
  return (
    <Screen title="User Guide">
      <article className={classes.guide}>
        <h2>Finding leads</h2>
        <p>
          Leads shows the last month, newest first. Choose dates, campaigns or words above the table; More opens the
          rest. The number beside a choice says how many leads you would see with it. The address of the page holds your
          choice: send it to a colleague, or keep it as a bookmark.
        </p>
        <p>
          Every word of a search must be somewhere in the lead: name, email, phone, message, location, company or notes.
          A phone is found however it is written.
        </p>
        <p>When leads come in, a bar above the table says so. Nothing moves until you click it.</p>

        <h2>Working on a lead</h2>
        <p>
          Cells can be edited where they stand. They are saved when you leave them, or with <kbd>Ctrl</kbd>{' '}
          <kbd>Enter</kbd>; <kbd>Esc</kbd> takes back what you typed. A cell that could not be saved goes back and says
          “Not saved” with the reason. If a colleague changed the same field a moment before, you see their value.
        </p>
        {me?.isAdmin ? <ForAdmins /> : <ForOthers />}

        <h2>How leads come in</h2>
        <ul>
          <li>A call from CallRail or a form from Formidable belongs to the campaign of the site it came through.</li>
          <li>
            Known spammers and blacklisted words are tagged Autospam and BLSpam, hidden, and not mailed to the client.
          </li>
          <li>A voicemail is tagged Voicemail, an unanswered call outside the working hours After Hours.</li>
          <li>
            A call that nobody took inside them is tagged Auto Missed Call. {missedCallTags.join(' and ')} colour the
            row.
          </li>
          <li>Every other lead is mailed to the client, whose click on a star of that mail becomes its rating.</li>
        </ul>

        {campaigns.update.allow(me) && (
          <>
            <h2>Where a campaign serves</h2>
            <p>
              Map, in a campaign’s row, draws its area: a click for each corner, and one on the first corner to finish.
              Drag a corner to move it, the small dot between two to add one; a right click removes one. The list beside
              the map does the same by keyboard. The ZIP codes and cities inside are listed there, to be copied.
            </p>
          </>
        )}
        {gmbs.update.allow(me) && (
          <>
            <h2>Listings on Google Maps</h2>
            <p>
              Campaign GMBs has each campaign’s listings. A row stands out when the listing is suspended, or when the
              public one is not what it was; both say since when. Accept as the new state takes a change for granted.
              Logs, in the row, tells what became what. A password is shown when you ask for it, and each look is noted.
            </p>
            <p>
              Every listing is looked at once a day; Check now does not wait for that, in a row or for the whole page. A
              broken bar at the row’s start means changed, a whole one suspended. Not found counts when it happened
              twice; what could not be read says why, and changes nothing. Where the listing is a location of a linked
              Google account, Google’s own word counts, suspensions included.
            </p>
            <p>
              An address that ends with a ZIP code puts the listing on the Campaign Map, in the middle of that ZIP code.
            </p>
          </>
        )}
        {googleLocations.update.allow(me) && (
          <>
            <h2>Locations at Google</h2>
            <p>
              GMB Manager has the locations of every Google account that is linked under Manage Accounts, read every two
              hours and whenever you press Sync now. Edit asks Google first, shows what becomes what, and then changes
              it there; Google takes ten edits of a location a minute, and later ones wait their turn. An account whose
              access has ended is marked Needs re-link: what is shown of it is as old as its last reading.
            </p>
          </>
        )}
        {clients.update.allow(me) && (
          <>
            <h2>Clients</h2>
            <p>
              A client signs in with a nickname or email on the client login site, or by a remote token that you make in
              the client’s dialog. Active switches that account off and on; switched off, it is out at once, and its
              token is gone. Leads are mailed to its email and the additional ones, unless notifications are off.
            </p>
          </>
        )}

        {me?.isAdmin && <Sites />}
        {activityItems.create.allow(me) && (
          <>
            <h2>Notes and tasks</h2>
            <p>
              What is done for a campaign or a team is noted once and stands in two places: the Activity Log lists it,
              the Campaigns Changelog lays it out by day. Add Note in a cell writes for that day; Create New Item writes
              for several campaigns at once, makes it somebody’s task, and takes images that you pick, drop or paste.
            </p>
            <p>
              My tasks shows what is yours to do. A task that is not done when its day is over stands out as overdue.
            </p>
          </>
        )}

        {leadTable.read.allow(me) && (
          <>
            <h2>Counting leads</h2>
            <p>
              Leads Chart and Leads Table count verified leads, and missed ones: those tagged{' '}
              {missedCallTags.join(' or ')} and not verified. Archived leads are not counted. A click on a number, a bar
              or a point opens exactly its leads.
            </p>
            <p>
              In the table a month’s weeks begin on Mondays and are cut at its ends. Verif., Miss. and Days Left are of
              the campaign’s current cycle, from one due day to the day before the next. Archived campaigns are there
              while they have leads in the months shown.
            </p>
          </>
        )}

        <h2>Around the table</h2>
        <ul>
          <li>
            <kbd>↑</kbd> <kbd>↓</kbd> move from row to row; <kbd>?</kbd> lists every key and what it does.
          </li>
          <li>A column’s head sorts: up, down, and back.</li>
          <li>Select Table Columns hides what you do not need; it is kept for you alone.</li>
          <li>The button beside the page size makes rows lower or higher.</li>
        </ul>
      </article>
    </Screen>
  )
}

function Sites() {
  return (
    <>
      <h2>Sites, links and domains</h2>
      <ul>
        <li>
          Every site is looked at each quarter of an hour; Check now does not wait for that. One miss says nothing, two
          in a row make a site Offline. Logs has each change.
        </li>
        <li>
          Blocked means that the site keeps programs out: whether people get in is not known, and its status stays.
        </li>
        <li>Point at a status to read what was wrong, and when it was looked at.</li>
        <li>
          Network sites are read once a day for their outgoing links. A link that is gone stays in the list, with the
          day it was lost; when a site cannot be read, nothing is lost and the last column says why.
        </li>
        <li>Domains, Links and 301's on a client site lead to what of ours leads there.</li>
        <li>
          Adding or deleting a 301 domain also does so in cPanel. Its steps stand above the list; when cPanel refuses,
          what was done is taken back and its words are shown.
        </li>
      </ul>
    </>
  )
}

function ForAdmins() {
  return (
    <ul>
      <li>Verified counts the lead for the client; the row turns green.</li>
      <li>Tags say what is wrong with a lead. Point at an automatic tag to read why it is there.</li>
      <li>Is Hidden takes the lead away from clients and leads handlers.</li>
      <li>On a missed call, Send Warning and Resend Notification mail the client again.</li>
      <li>
        The envelope beside them says what became of the latest mail. History has the rest: who changed what, and a
        button that puts an old value back.
      </li>
    </ul>
  )
}

function ForOthers() {
  return (
    <ul>
      <li>
        Progress, company, notes, value, profit and stars are yours to fill in. A second click on a progress clears it.
      </li>
      <li>Archive takes a lead off the list for everyone on your side; the agency sees the archive too.</li>
    </ul>
  )
}
