import { Modal } from '@mantine/core'
import { FilterBar, SearchFilter } from '#ui/filters/filters.tsx'
import { useFocusBack } from '#ui/layout/useFocusBack.ts'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { outgoingLinks } from '../contract.ts'
import { columnsOfOne } from './LinkColumns.tsx'
import classes from './LinksDialog.module.css'

type Props = { site: { id: number; url: string }; opened: boolean; onClose: () => void }

/** The outgoing links of one network site. */
export function LinksDialog({ site, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Links for ${site.url}`} size={1100}>
      <Links siteId={site.id} />
    </Modal>
  )
}

function Links({ siteId }: { siteId: number }) {
  useFocusBack()
  const list = useList(outgoingLinks.list, { keep: 'here', fixed: { network_site_id: siteId } })
  return (
    <div className={classes.links}>
      <FilterBar list={list}>
        <SearchFilter label="Outgoing Link" {...list.filter('q')} />
      </FilterBar>
      <DataTable label="Links" list={list} columns={columnsOfOne} />
      <ListFooter list={list} />
    </div>
  )
}
