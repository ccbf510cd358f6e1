import { FilterBar, SearchFilter } from '#ui/filters/filters.tsx'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { outgoingLinksContract } from '../contract.ts'
import { singleSiteLinkColumns } from './LinkColumns.tsx'
import classes from './LinksDialog.module.css'

type LinksDialogProps = { site: { id: number; url: string }; opened: boolean; onClose: () => void }

/** The outgoing links of one network site. */
export function LinksDialog({ site, opened, onClose }: LinksDialogProps) {
  return (
    <ModalDialog opened={opened} onClose={onClose} title={`Links for ${site.url}`} size={1100}>
      <SiteLinksList siteId={site.id} />
    </ModalDialog>
  )
}

function SiteLinksList({ siteId }: { siteId: number }) {
  const list = useList(outgoingLinksContract.list, { keep: 'here', fixed: { network_site_id: siteId } })
  return (
    <div className={classes.links}>
      <FilterBar list={list}>
        <SearchFilter label="Outgoing Link" {...list.filter('q')} />
      </FilterBar>
      <DataTable label="Links" list={list} columns={singleSiteLinkColumns} />
      <ListFooter list={list} isBrief />
    </div>
  )
}
