import { type Gmb, gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { GmbLogList, ListingActions, renderListingStatus } from '#domains/listings/ui/public.ts'
import { renderBadge, textCell } from '#ui/cells/cells.tsx'
import { EmailCell } from '#ui/cells/EmailCell.tsx'
import { PhoneCell } from '#ui/cells/PhoneCell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { useApi } from '#ui/data/useApi.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { FactList, RecordPage, RecordSection, renderWebAddress, useRecordId } from './RecordPage.tsx'

/** A campaign's listing on Google Maps. */
export default function ListingScreen() {
  const id = useRecordId()
  return id === null ? <NotFoundPage /> : <ListingPage key={id} id={id} />
}

function ListingPage({ id }: { id: number }) {
  const query = useApi(gmbsContract.get, { params: { id } }, { quiet: true })
  return (
    <RecordPage
      kind="Listing"
      query={query}
      title={({ title }) => title}
      about={renderListingState}
      actions={(gmb) => <ListingActions gmb={gmb} />}
    >
      {(gmb: Gmb) => (
        <>
          <RecordSection title="Listing" wide={!gmb.notes}>
            <FactList
              facts={[
                [
                  'Campaign',
                  <RecordLink key="campaign" kind="campaign" id={gmb.campaign_id}>
                    {gmb.campaign_name}
                  </RecordLink>,
                ],
                ['Address', textCell(gmb.address)],
                ['Phone', <PhoneCell key="phone" phone={gmb.phone} />],
                ['Email', <EmailCell key="email" email={gmb.email} />],
                ['Website', renderWebAddress(gmb.website)],
                ['On Google Maps', renderWebAddress(gmb.link)],
                ['Reviews', renderWebAddress(gmb.review_link)],
                ['Client owned', gmb.client_owned ? 'Yes' : 'No'],
                ['Client location', gmb.is_client_location ? 'Yes' : 'No'],
              ]}
            />
          </RecordSection>
          {gmb.notes && (
            <RecordSection title="Notes">
              <p>{gmb.notes}</p>
            </RecordSection>
          )}
          <RecordSection title="What changed" wide>
            <GmbLogList id={id} />
          </RecordSection>
        </>
      )}
    </RecordPage>
  )
}

function renderListingState(gmb: Gmb) {
  const { changed, changed_fields, checked_at } = gmb
  return (
    <>
      {renderListingStatus(gmb)}
      {changed && renderBadge('warn', `Changed: ${changed_fields.join(', ') || 'not accepted yet'}`)}
      {checked_at && (
        <span>
          Checked <ShortTime at={checked_at} />
        </span>
      )}
    </>
  )
}
