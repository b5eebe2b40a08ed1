module testdata.till {
    requires java.logging;
}
