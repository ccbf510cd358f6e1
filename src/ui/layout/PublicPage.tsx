import classes from './PublicPage.module.css'

export const PublicLoading = () => <p role="status" className={classes.wait} aria-label="Loading" />
