/** Names the source of the places of ZIP codes, as its license asks. */
export const GeoNamesCredit = () => (
  <>
    <a href="https://www.geonames.org" target="_blank" rel="noreferrer noopener">
      GeoNames
    </a>{' '}
    (
    <a href="https://creativecommons.org/licenses/by/4.0/" target="_blank" rel="noreferrer noopener">
      CC BY 4.0
    </a>
    )
  </>
)
