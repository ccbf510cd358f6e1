import { IconTemplate } from '@tabler/icons-react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { callApi } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { ReadDialogButton } from '#ui/layout/ReadDialogButton.tsx'
import { categoryTemplatesContract } from '../template-contract.ts'

const TemplateDialog = lazyComponent(() => import('./TemplateDialog.tsx'))

/** Reads a category's template, then opens its dialog. */
export function TemplateButton({ category }: { category: { id: number; name: string } }) {
  if (!categoryTemplatesContract.save.allow(useCurrentUser())) return null
  return (
    <ReadDialogButton
      label="Template"
      icon={IconTemplate}
      load={() => callApi(categoryTemplatesContract.read, { params: { id: category.id } })}
    >
      {(start, close) => <TemplateDialog category={category} start={start} onClose={close} />}
    </ReadDialogButton>
  )
}
