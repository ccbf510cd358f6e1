import { type AccessRule, signedIn } from '#contract/allow.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { menuGroups } from '../ui/menu.ts'
import { getCallRule, isInAudience } from './audiences.ts'
import type { AudienceBlock, GuideBlock, GuideInline, GuidePage, ParsedBlock, ParsedPage } from './guide-page.ts'
import { fillPlaceholders } from './placeholders.ts'

/** The groups of pages, in reading order. */
const guideSections = ['First things', 'Leads', 'Campaigns', 'Listings', 'Clients and sites', 'Access']

const parsedPages = import.meta.glob<ParsedPage>('./pages/**/*.md', { eager: true, import: 'default' })

export type GuideScreen = { path: string; allow: AccessRule }
export type GuideGroup = { title: string; pages: readonly GuidePage[] }

/** Returns the whole guide. The screens are passed in, because the guide is one of them. */
export const createGuide = (screens: readonly GuideScreen[]): GuideGroup[] =>
  guideSections.map((title) => ({
    title,
    pages: Object.entries(parsedPages)
      .filter(([, { section }]) => section === title)
      .toSorted(([, a], [, b]) => Number(a.position) - Number(b.position))
      .map(([file]) => createPage(file.slice('./pages/'.length, -'.md'.length), screens)),
  }))

/** People who may open a screen may read its page, which has the menu's title unless it sets its own. */
function createPage(key: string, screens: readonly GuideScreen[]): GuidePage {
  const { screen, title, for: call, blocks } = readParsedPage(key)
  const declared = screens.find(({ path }) => path === screen)
  if (screen !== undefined && !declared)
    throw new Error(`The guide's page ${key} is about an unknown screen: ${screen}`)
  return {
    key,
    title: title ?? findMenuLabel(screen) ?? key,
    allow: call === undefined ? (declared?.allow ?? signedIn) : getCallRule(call),
    ...(screen !== undefined && { screen }),
    blocks: blocks.flatMap(expandBlock),
  }
}

function readParsedPage(name: string): ParsedPage {
  const page = parsedPages[`./pages/${name}.md`]
  if (!page) throw new Error(`The guide has no page ${name}`)
  return page
}

const findMenuLabel = (screen: string | undefined) =>
  menuGroups.flatMap(({ entries }) => entries).find(({ path }) => path === screen)?.label

/** Replaces each `include` by its page of pages/shared, and placeholders by their values. A block's own `for` wins. */
const expandBlock = (block: ParsedBlock): AudienceBlock[] =>
  block.type === 'include'
    ? readParsedPage(`shared/${block.page}`)
        .blocks.flatMap(expandBlock)
        .map((part) => (block.for ? { for: block.for, ...part } : part))
    : [fillBlock(block)]

function fillBlock(block: AudienceBlock): AudienceBlock {
  if (block.type === 'paragraph') return { ...block, text: block.text.map(fillInline) }
  if (block.type === 'list' || block.type === 'steps')
    return { ...block, items: block.items.map((item) => item.map(fillInline)) }
  return block
}
const fillInline = (part: GuideInline): GuideInline => (typeof part === 'string' ? fillPlaceholders(part) : part)

export type VisibleGuidePage = Omit<GuidePage, 'allow' | 'blocks'> & { blocks: readonly GuideBlock[] }
export type VisibleGuideGroup = { title: string; pages: readonly VisibleGuidePage[] }

/** Returns the part of the guide that this person may read. */
export const getVisibleGuide = (guide: readonly GuideGroup[], me: CurrentUserDto): VisibleGuideGroup[] =>
  guide
    .map(({ title, pages }) => ({ title, pages: pages.flatMap((page) => getVisiblePage(me, page) ?? []) }))
    .filter(({ pages }) => pages.length > 0)

/** Returns null if nothing on the page is for this person. */
function getVisiblePage(me: CurrentUserDto, { allow, blocks, ...page }: GuidePage): VisibleGuidePage | null {
  const readable = allow(me) ? blocks.filter((block) => !block.for || isInAudience(me, block.for)) : []
  const visible = readable.filter(({ type }, index) => type !== 'heading' || !isHeading(readable[index + 1]))
  return visible.length > 0 ? { ...page, blocks: visible } : null
}
const isHeading = (block: GuideBlock | undefined) => block === undefined || block.type === 'heading'
