package empty;

public class Untested {}
